// The call paths as an icicle, width is time: the chosen path is as wide as the
// chart, with what is above it on top; inverted, by name, with the callers
// below; or around the chosen name, wherever it was called, with its callers
// above and what it called below. Beside it the durations of the chosen path.

// What the width is of a node, what of that is its own, and what is below it.
const sumOf = (nodes, width) => nodes.reduce((sum, each) => sum + width(each), 0);
const metrics = {
  time: {width: node => node.time, own: node => node.self, below: node => node.children},
  gpu: {width: node => node.gpu, own: node => Math.max(0, node.gpu - sumOf(node.children, each => each.gpu)),
        below: node => node.children},
  samples: {width: node => node.isFrame ? node.time : node.sampled,
            own: node => node.isFrame ? Math.max(0, node.time - sumOf(node.children, each => each.time)) : 0,
            below: node => node.isFrame ? node.children : node.children.concat(node.frames)},
};

function metricNow() {
  const tree = treeNow();
  if (tree.isSampled)
    return metrics.samples;
  const isThere = state.metric === 'gpu' ? tree.hasGpu : state.metric === 'samples' ? tree.hasFrames : false;
  return metrics[isThere ? state.metric : 'time'];
}

// What boxes that are too narrow to be seen are together.
const groupName = (count, ns, whole) => '+ ' + grouped(count) + ' more, ' + percentOf(ns, whole);

// Boxes of NODE and what is below it: {value: [start, end, depth], node}. Widths
// of children that are more than their parent's together shrink to it. Children
// narrower than LEAST are one box, which has their number in GROUP.
function boxesBelow(node, depth, {width, below}, least) {
  const boxes = [];
  const stack = [[node, 0, 1, depth]];
  while (stack.length) {
    const [at, start, end, row] = stack.pop();
    boxes.push({value: [start, end, row], node: at, name: at.name, ns: width(at)});
    const children = below(at);
    const scale = (end - start) / Math.max(sumOf(children, width), width(at), 1);
    const small = children.filter(child => width(child) * scale < least);
    const isGroup = small.length > 1;
    let next = start;
    for (const child of children) {
      const size = width(child) * scale;
      if (size < least && isGroup)
        continue;
      if (size > 0)
        stack.push([child, next, next + size, row + 1]);
      next += size;
    }
    const ns = sumOf(small, width);
    if (isGroup && ns > 0)
      boxes.push({value: [next, next + ns * scale, row + 1], node: at, name: groupName(small.length, ns, width(at)), ns,
                  group: small.length, found: small.filter(child => isFound(child.name)).length});
  }
  return boxes;
}

const namedSum = name => ({name, time: 0, children: [], byName: new Map(), nodes: []});

// The child of AT called NAME, with NS of NODE more.
function addNamed(at, name, node, ns) {
  if (!at.byName.has(name)) {
    at.byName.set(name, namedSum(name));
    at.children.push(at.byName.get(name));
  }
  const child = at.byName.get(name);
  child.time += ns;
  if (at !== child && child.nodes.at(-1) !== node)
    child.nodes.push(node);
  return child;
}

function sortNamed(top) {
  const queue = [top];
  for (const each of queue) {
    each.children.sort((a, b) => b.time - a.time);
    queue.push(...each.children);
  }
  return top;
}

// SEEDS, of [node, time], by name, with their callers below.
function callersTree(seeds) {
  const top = namedSum('all');
  for (const [node, ns] of seeds) {
    top.time += ns;
    let at = top;
    for (let caller = node; caller; caller = caller.parent)
      at = addNamed(at, caller.name, node, ns);
  }
  return sortNamed(top);
}

// NODES as one, with what they called below, by name.
function calleesTree(nodes, {width, below}) {
  const top = namedSum(nodes[0].name);
  const stack = nodes.map(node => [node, top]);
  for (const node of nodes)
    top.time += width(node);
  while (stack.length) {
    const [node, at] = stack.pop();
    for (const child of below(node))
      if (width(child) > 0)
        stack.push([child, addNamed(at, child.name, child, width(child))]);
  }
  return sortNamed(top);
}

// The tree below ROOT turned around: names by their own time, callers below.
function invertedTree(root, metric) {
  const seeds = [], stack = [root];
  while (stack.length) {
    const node = stack.pop();
    stack.push(...metric.below(node));
    const ns = metric.own(node);
    if (ns > 0)
      seeds.push([node, ns]);
  }
  return callersTree(seeds);
}

// Where NAME stands in TREE's paths, the outermost of each.
function outermost(roots, name, {width, below}) {
  const found = [], stack = [...roots];
  while (stack.length) {
    const node = stack.pop();
    if (node.name !== name)
      stack.push(...below(node));
    else if (width(node) > 0)
      found.push(node);
  }
  return found;
}

const mostCallerRows = 12;

// The chosen name in its row, its callers above and what it called below.
function aroundBoxes(node, metric, least) {
  const nodes = outermost(treeNow().roots, node.name, metric);
  if (!nodes.length)
    return [];
  const named = {width: each => each.time, below: each => each.children};
  const callers = callersTree(nodes.map(each => [each, metric.width(each)])).children[0];
  const above = boxesBelow(callers, 0, named, least).filter(each => each.value[2] > 0 && each.value[2] <= mostCallerRows);
  const rows = above.reduce((most, each) => Math.max(most, each.value[2]), 0);
  for (const each of above)
    each.value[2] = rows - each.value[2];
  const middle = calleesTree(nodes, metric);
  middle.nodes = nodes;
  return above.concat(boxesBelow(middle, rows, named, least));
}

// LEAST: the width, in parts of the chart's, from which on a box is drawn alone.
function icicleBoxes(least = 2e-5) {
  const node = nodeNow();
  const metric = metricNow();
  if (state.order === 'inverted')
    return boxesBelow(invertedTree(pathTo(node)[0], metric), 0,
                      {width: each => each.time, below: each => each.children}, least);
  if (state.order === 'around')
    return aroundBoxes(node, metric, least);
  const above = pathTo(node).slice(0, -1);
  return above.map((each, row) => ({value: [0, 1, row], node: each, name: each.name, ns: metric.width(each)}))
      .concat(boxesBelow(node, above.length, metric, least));
}

const icicleRow = 22, narrowestBox = 3; // pixels

function icicleChart(box, chart) {
  const boxes = icicleBoxes(narrowestBox / Math.max(100, box.clientWidth));
  const depth = 1 + boxes.reduce((most, each) => Math.max(most, each.value[2]), 0);
  const rows = Math.min(Math.max(depth, 6), 30);
  box.style.height = (rows * icicleRow + 10) + 'px';
  chart.resize();
  const whole = state.order === 'inverted' ? boxes[0].ns : state.order ? sumOf(treeNow().roots, metricNow().width)
      : metricNow().width(pathTo(nodeNow())[0]);
  const quiet = each => state.search && !(each.group ? each.found : isFound(each.name));
  const label = each => each.group ? each.name : state.order ? shortName(each.name) : labelOf(each.node);
  chart.setOption(Object.assign(baseOptions(), {
    grid: {left: 4, right: 4, top: 4, bottom: 4},
    xAxis: {type: 'value', min: 0, max: 1, show: false},
    yAxis: {type: 'value', min: 0, max: rows, inverse: true, show: false},
    series: [{type: 'custom', data: boxes.map(each => each.value), encode: {x: [0, 1], y: 2}, progressive: 0,
      renderItem: (params, api) => {
        const each = boxes[params.dataIndex];
        return boxShape(params, api, label(each), each.group ? restColour : colourOf(each.name), true, Object.assign(
            quiet(each) ? {opacity: 0.35} : {},
            !each.group && each.node.id !== undefined && each.node.id === state.node
                ? {stroke: cssColour('--text'), lineWidth: 2} : {}));
      }}],
  }));
  chart.setOption({tooltip: {formatter: at => {
    const {node, name, ns, group, found} = boxes[at.dataIndex];
    if (group)
      return tooltipLines('+ ' + grouped(group) + ' more below ' + node.name, duration(ns) + ', ' + percentOf(ns, whole),
          ...(found ? [grouped(found) + ' of them found'] : []), 'A click chooses what is above them.');
    return tooltipLines(name, duration(ns) + ', ' + percentOf(ns, whole),
        ...(node.place ? [node.place] : []),
        ...(node.isFrame ? ['CPU time, by samples'] : node.id === undefined ? [node.nodes.length + ' call paths'] :
            [grouped(node.calls) + ' calls, self ' + duration(node.self)]));
  }}});
  chart.on('click', at => {
    const {node} = boxes[at.dataIndex];
    if (node.isFrame)
      go({node: node.owner.id, line: node.line});
    else if (node.id !== undefined)
      go({node: node.id});
    else if (node.nodes.length === 1)
      go({node: (node.nodes[0].owner || node.nodes[0]).id, order: state.order === 'inverted' ? '' : state.order});
    else
      go({search: node.name}, true);
  });
}

// What the search finds, with one sum of each kind; empty without a search.
function searchText() {
  if (!state.search)
    return '';
  const {width, own, below} = metricNow();
  const names = new Set();
  let paths = 0, all = 0, alone = 0;
  const stack = treeNow().roots.map(node => [node, false]);
  while (stack.length) {
    const [node, isInside] = stack.pop();
    const isHere = isFound(node.name);
    if (isHere) {
      names.add(node.name);
      ++paths;
      all += isInside ? 0 : width(node);
      alone += own(node);
    }
    stack.push(...below(node).map(child => [child, isInside || isHere]));
  }
  const whole = sumOf(treeNow().roots, width);
  return !paths ? 'The search finds no call path.' : counted(names.size, 'name') + ' on ' + counted(paths, 'call path') + ': ' +
      percentOf(all, whole) + ' of all threads’ time with what they call, ' + percentOf(alone, whole) + ' alone.';
}

// The links from the root to the chosen path.
function crumbsView() {
  const crumbs = make('span', 'crumbs');
  pathTo(nodeNow()).forEach((node, index) => crumbs.append(
      index ? ' › ' : '', linkTo({node: node.id}, labelOf(node))));
  [...crumbs.querySelectorAll('a')].forEach((link, index) => link.title = pathTo(nodeNow())[index].name);
  return crumbs;
}

function detailView() {
  const node = nodeNow();
  if (treeNow().isSampled)
    return make('p', 'hint', 'Functions by their samples, as wide as the CPU time of these.');
  const place = make('div', 'detail', null, make('h3', '', labelOf(node)));
  place.firstChild.title = node.name;
  // A thread isn't called.
  const facts = [duration(node.time), ...(node.parent ? [counted(node.calls, 'call')] : []), 'self ' + duration(node.self)];
  if (node.place)
    facts.push(node.place);
  place.append(make('p', 'hint', facts.join(', ')));
  if (node.histogram.length)
    place.append(chartBox('Distribution of the durations of ' + node.name, (box, chart) =>
        histogramChart(box, chart, node)));
  return place;
}

function icicleView() {
  const tree = treeNow();
  if (!tree.nodes.length)
    return null;
  const step = change => {
    const node = nodeNow(), siblings = node.parent ? node.parent.children : tree.roots;
    const next = change === 'down' ? node.children[0] : change === 'up' ? node.parent
        : siblings[siblings.indexOf(node) + change];
    if (next)
      go({node: next.id});
  };
  const box = chartBox('Call paths as an icicle; the table of call paths has the same figures', icicleChart, {
    ArrowDown: () => step('down'), ArrowUp: () => step('up'),
    ArrowLeft: () => step(-1), ArrowRight: () => step(1)});
  const kinds = tree.isSampled ? [] : [['time', 'Host'], ...(tree.hasGpu ? [['gpu', 'GPU']] : []),
                 ...(tree.hasFrames ? [['samples', 'Functions']] : [])];
  const metric = makeSwitch('Width', kinds, state.metric, value => go({metric: value}));
  const turned = makeSwitch('Order', [['', 'Top down'], ['inverted', 'Inverted'], ['around', 'Around the name']],
                            state.order, value => go({order: value}));
  const tools = make('div', 'tools');
  const beside = make('div', 'beside', null, make('div', '', null, box));
  const section = makeSection('icicle', 'Call paths', tools, beside);
  section.update = changed => {
    if (!['node', 'metric', 'order', 'search', 'start'].some(key => changed.has(key)))
      return;
    metric.show(state.metric);
    turned.show(state.order);
    tools.replaceChildren(...(kinds.length > 1 ? [metric] : []), turned, crumbsView(), make('span', 'hint found-sum', searchText()));
    box.redraw();
    if (changed.has('node') || changed.has('start')) {
      if (beside.children.length > 1)
        beside.lastChild.remove();
      beside.append(detailView());
    }
  };
  section.update(new Set(['start']));
  return section;
}
