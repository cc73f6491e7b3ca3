// The report page: reads the data embedded by the report generator and lays out
// its sections. docs/report.md describes what each of them shows.
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);
const main = document.getElementById('main');

function section(id, title) {
  const view = make('section', '', null, make('h2', '', title));
  view.id = id;
  main.append(view);
  const link = make('a', '', title);
  link.href = '#' + id;
  document.getElementById('nav').append(link);
  return view;
}

// Charts are drawn when they come into sight: a page with large ones opens at
// once.
const sight = new IntersectionObserver(seen => {
  for (const {target, isIntersecting} of seen)
    if (isIntersecting && !target.chart)
      target.draw();
}, {rootMargin: '200px'});

// A place for a chart. LABEL says the same in words; KEYS, by KeyboardEvent.key,
// are what the keyboard does with it.
function chartBox(view, label, draw, keys = {}) {
  const box = make('div', 'chart');
  box.setAttribute('role', 'img');
  box.setAttribute('aria-label', label);
  box.tabIndex = 0;
  box.draw = () => {
    if (box.chart)
      box.chart.dispose();
    draw(box);
  };
  box.redraw = () => {
    if (box.chart)
      box.draw();
  };
  box.addEventListener('keydown', event => {
    if (!keys[event.key] || event.ctrlKey || event.altKey || event.metaKey)
      return;
    event.preventDefault();
    keys[event.key](box);
  });
  view.append(box);
  sight.observe(box);
  return box;
}

function showCards(run) {
  const view = make('div', 'cards');
  if (run.verdict)
    view.append(make('div', 'card wide', null, make('div', 'label', 'Verdict'),
                     make('div', 'value', run.verdict)));
  for (const card of run.cards)
    view.append(make('div', 'card', null, make('div', 'label', card.label),
                     make('div', 'value', card.value)));
  main.append(view);
}

function showRecommendations(run) {
  if (!run.recommendations.length)
    return;
  const list = make('ul');
  for (const line of run.recommendations)
    list.append(make('li', '', line));
  section('recommendations', 'Recommendations').append(list);
}

function showStack(run) {
  if (run.stack)
    chartBox(section('steps', 'Step time'), 'Time of each step by part, and the average',
             box => stackChart(box, run.stack));
}

// The node that a path of child indices leads to.
function nodeAt(root, path) {
  return path.reduce((node, index) => node.children[index], root);
}

function showTree(run) {
  if (!run.tree.length)
    return;
  const view = section('tree-chart', 'Call paths');
  view.append(make('p', 'hint', 'Width is time. Choose a phase to see it alone, with the ' +
                   'distribution of its durations; or use the arrow keys.'));
  const tools = make('div', 'tools');
  const thread = make('select');
  thread.setAttribute('aria-label', 'Thread');
  run.tree.forEach((root, index) => thread.append(new Option(root.name, index)));
  const up = make('button', '', 'Up');
  up.type = 'button';
  const crumbs = make('span', 'crumbs hint');
  if (run.tree.length > 1)
    tools.append(thread);
  tools.append(up, crumbs);
  view.append(tools);
  let path = [];
  const histogram = make('div');
  const show = () => {
    const root = run.tree[Number(thread.value) || 0];
    crumbs.textContent = [root.name].concat(
        path.map((_, i) => nodeAt(root, path.slice(0, i + 1)).name)).join(' › ');
    up.disabled = !path.length;
    icicle.redraw();
    histogram.replaceChildren();
    const buckets = nodeAt(root, path).histogram;
    if (buckets.length) {
      histogram.append(make('h3', '', 'Durations of ' + nodeAt(root, path).name));
      chartBox(histogram, 'Distribution of durations', box => histogramChart(box, buckets));
    }
  };
  const icicle = chartBox(view, 'Call-path tree', box => {
    const root = run.tree[Number(thread.value) || 0];
    icicleChart(box, nodeAt(root, path), below => {
      path = path.concat(below);
      show();
    });
  }, {
    ArrowDown: () => enter(path.concat(0)),
    ArrowUp: () => enter(path.slice(0, -1)),
    ArrowLeft: () => enter(path.slice(0, -1).concat(path.at(-1) - 1)),
    ArrowRight: () => enter(path.slice(0, -1).concat(path.at(-1) + 1)),
  });
  // Shows the phase at that path, if there is one.
  const enter = wanted => {
    const root = run.tree[Number(thread.value) || 0];
    if (wanted.reduce((node, index) => node && node.children[index], root)) {
      path = wanted;
      show();
    }
  };
  up.addEventListener('click', () => { path.pop(); show(); });
  thread.addEventListener('change', () => { path = []; show(); });
  view.append(histogram);
  show();
  return name => {
    const found = findPath(run.tree[Number(thread.value) || 0], name);
    if (found) {
      path = found;
      show();
      view.scrollIntoView();
    }
  };
}

// The path to the first phase of that name, breadth first; null without one.
function findPath(root, name) {
  const queue = [[root, []]];
  for (const [node, path] of queue) {
    if (node.name === name)
      return path;
    node.children.forEach((child, index) => queue.push([child, path.concat(index)]));
  }
  return null;
}

function showTables(run, pick) {
  for (const view of run.views) {
    const place = section('view-' + view.name, view.title);
    for (const table of view.tables)
      place.append(tableView(table, pick && (row => pick(cellText(row.cells[0]).trim()))));
    if (view.name === 'kernels' && run.pie)
      chartBox(place, 'Share of each kernel', box => pieChart(box, run.pie));
    if (view.name === 'whatif')
      for (const table of view.tables)
        chartBox(place, 'Slope of each phase, with its interval', box => slopeChart(box, table));
  }
}

function showTimeline(run) {
  if (!run.timeline)
    return;
  const view = section('timeline', 'Timeline');
  view.append(make('p', 'hint', run.timeline.note + ' The wheel zooms, dragging pans; so do ' +
                   '+, - and the arrow keys.'));
  chartBox(view, 'Timeline of the last steps', box => timelineChart(box, run.timeline), {
    '+': box => zoomBy(box.chart, 0.5, 0), '-': box => zoomBy(box.chart, 2, 0),
    ArrowLeft: box => zoomBy(box.chart, 1, -0.25), ArrowRight: box => zoomBy(box.chart, 1, 0.25),
  });
}

function showIntegrity(run) {
  const view = section('integrity', 'Data integrity');
  for (const line of run.footer)
    view.append(make('p', 'note', line));
  if (!run.footer.length)
    view.append(make('p', 'note', 'Nothing of the file was lost, repaired or left out.'));
}

function showRun(run) {
  document.title = run.title + ' – Loopscope';
  document.getElementById('title').textContent = run.title;
  document.getElementById('subtitle').textContent = run.subtitle;
  document.getElementById('nav').replaceChildren();
  sight.disconnect();
  main.replaceChildren();
  startColours(run);
  showCards(run);
  showRecommendations(run);
  showStack(run);
  showTimeline(run);
  const pick = showTree(run);
  showTables(run, pick);
  showIntegrity(run);
}

function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  const button = document.getElementById('theme');
  button.setAttribute('aria-pressed', String(dark));
  document.querySelectorAll('.chart').forEach(box => box.redraw());
}

const chooser = document.getElementById('run');
data.runs.forEach((run, index) => chooser.append(new Option(run.title, index)));
document.getElementById('run-label').hidden = data.runs.length < 2;
chooser.addEventListener('change', () => showRun(data.runs[Number(chooser.value)]));
document.getElementById('theme').addEventListener('click', () =>
    setTheme(document.documentElement.dataset.theme !== 'dark'));
window.addEventListener('resize', () =>
    document.querySelectorAll('.chart').forEach(box => box.chart && box.chart.resize()));
window.addEventListener('beforeprint', () =>
    document.querySelectorAll('.chart').forEach(box => box.chart || box.draw()));
document.getElementById('footer').textContent = data.tool;
setTheme(window.matchMedia('(prefers-color-scheme: dark)').matches);
showRun(data.runs[0]);
