// Puts the page together: the data that the report generator has embedded, part
// by part. docs/report.md describes what each of them shows.

const data = JSON.parse(document.getElementById('data').textContent);
const main = document.getElementById('main');
let parts = [];

function integrityView(run) {
  const lines = run.footer.length ? run.footer : ['Nothing in the file was lost, repaired or left out.'];
  return makeSection('integrity', 'Data integrity', ...lines.map(line => make('p', 'note', null, ...withCode(line))),
                     ...(run.missing.length ? [make('p', 'note missing', null, ...withCode('Not on this page: ' + run.missing.join(' ')))] : []));
}

function showRun() {
  const run = runNow();
  sight.disconnect();
  showHead(run);
  parts = (data.comparison ? [factsDiffer(data.comparison), waterfallView(data.comparison), curvesView(data.comparison), spreadView(data.comparison), diffIcicleView(data.comparison), answerView(run), tabsView(run), keysView(), uncomparedView(data.comparison), sideNote(run),
                              historyView(run), stepsView(run), rooflineView(run), ranksView(), icicleView(), sourceView(), timelineView(run), integrityView(run)]
      : [answerView(run), historyView(run), stepsView(run), rooflineView(run), ranksView(), tabsView(run), keysView(), icicleView(), sourceView(), timelineView(run),
         integrityView(run)]).filter(Boolean);
  parts.forEach(part => markWhole(part, run));
  main.replaceChildren(...parts);
}

if (data.comparison)
  defaults.tab = state.tab = 'changes';
else if (data.runs.every(isSampled))
  defaults.tab = state.tab = 'loops';
for (const run of data.runs)
  run.waits.forEach(name => waitNames.add(name));
startHead();
Object.assign(state, stateOf(location.hash));
watchState(changed => {
  if (changed.has('run'))
    showRun();
  else
    parts.forEach(part => {
      if (part.update)
        part.update(changed);
      markWhole(part, runNow());
    });
});
showRun();
watchers.forEach(watcher => watcher(new Set()));
if (state.range)
  showTimeline();
else if (state.key !== null)
  showKeys();
else if (state.node !== null || state.tab !== defaults.tab)
  showTabs();

const charts = () => document.querySelectorAll('.chart');
window.addEventListener('resize', () => charts().forEach(box => box.chart && box.chart.resize()));

// On paper everything is light, drawn and as wide as the paper. Before it prints,
// the page still has the window's layout: the class gives it the paper's.
let screenTheme = '';
// On paper, a chart's upper canvases would hide those below.
function flatten(box) {
  const [ground, ...layers] = box.querySelectorAll('canvas');
  for (const layer of layers) {
    const context = ground.getContext('2d');
    context.save();
    context.resetTransform();
    context.drawImage(layer, 0, 0);
    context.restore();
    layer.style.display = 'none';
  }
}
// Tables that are wider than the paper shrink to it; without SHRINK, none does.
function fitTables(shrink) {
  for (const table of document.querySelectorAll('.scroll table')) {
    table.style.zoom = '';
    for (let zoom = 1; shrink && zoom > 0.4 && table.getBoundingClientRect().width > table.parentElement.clientWidth + 1;)
      table.style.zoom = zoom = Math.max(0.4, zoom * Math.min(0.97, table.parentElement.clientWidth / table.getBoundingClientRect().width));
  }
}
const fitAll = () => document.querySelectorAll('.split, .curve-box, .distribution-box').forEach(box => box.fit());
window.addEventListener('beforeprint', () => {
  screenTheme = document.documentElement.dataset.theme;
  document.documentElement.dataset.theme = 'light';
  document.body.classList.add('paper');
  charts().forEach(box => {
    box.draw();
    flatten(box);
  });
  fitTables(true);
  fitAll();
});
window.addEventListener('afterprint', () => {
  document.documentElement.dataset.theme = screenTheme;
  document.body.classList.remove('paper');
  charts().forEach(box => box.redraw());
  fitTables(false);
  fitAll();
});
document.getElementById('footer').textContent = data.tool;
