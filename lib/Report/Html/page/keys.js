// The keys of the chosen phase: what each took, as bars and as a table, how long
// the spans of the chosen key took, and when.

const keyBarsSize = {height: 230, left: 64, right: 14, top: 24, bottom: 24};
let keyDrawings = 0;

const measureNow = family => measureOf(family, state.measure) || family.measures[0];

// The keys of FAMILY as they are shown; those with the same figure in their own
// order.
function keysInOrder(family) {
  const order = family.keys.map((key, index) => index);
  const {ns} = measureNow(family);
  return state.keys === 'time' ? order.sort((a, b) => (ns[b] ?? -1) - (ns[a] ?? -1) || a - b) : order;
}

// As much of TEXT as LETTERS are room for.
const cutText = (text, letters) => text.length <= letters ? text : letters < 2 ? '' : text.slice(0, letters - 1) + '…';

function addKeyLabels(svg, family, order, x, slot, width) {
  const {height} = keyBarsSize;
  const longest = Math.min(12, Math.max(...family.keys.map(key => key[0].length)));
  const every = Math.max(1, Math.ceil((longest * letterWidth + 10) / slot));
  order.forEach((key, place) => {
    if (place % every)
      return;
    const text = cutText(family.keys[key][0], Math.max(longest, Math.floor(slot * every / letterWidth) - 1));
    const half = text.length * letterWidth / 2, middle = x(place) + slot / 2;
    svg.append(makeSvg('text', {x: Math.min(width - half, middle).toFixed(1), y: height - 7, 'text-anchor': 'middle'}, text));
  });
}

function keyBarsDrawing(node, width) {
  const {family} = node, measure = measureNow(family), order = keysInOrder(family);
  const {height, left, right, top, bottom} = keyBarsSize;
  const most = roundUp(Math.max(1, ...measure.ns));
  const slot = (width - left - right) / order.length;
  const x = place => left + place * slot;
  const y = ns => height - bottom - ns / most * (height - top - bottom);
  const svg = makeSvg('svg', {viewBox: '0 0 ' + width + ' ' + height, class: 'curve key-bars', 'aria-hidden': 'true'});
  for (const part of [0, 0.5, 1])
    svg.append(makeSvg('line', {class: 'grid', x1: left, x2: width - right, y1: y(most * part), y2: y(most * part)}),
               makeSvg('text', {x: left - 6, y: y(most * part) + 4, 'text-anchor': 'end'}, duration(most * part)));
  order.forEach((key, place) => {
    const ns = measure.ns[key] || 0, size = ns ? Math.max(1, y(0) - y(ns)) : 0;
    const item = makeSvg('g', {'data-key': key, class: (key === family.odd ? 'odd' : '') + (key === state.key ? ' chosen-key' : '')});
    const gap = slot > 4 ? 1 : 0;
    item.append(makeSvg('title', {}, keyName(node, key) + ': ' + keyFigures(node, key)),
                makeSvg('rect', {class: 'ground', x: x(place), y: top, width: slot, height: height - top - bottom}),
                makeSvg('rect', {class: 'bar', x: x(place) + gap / 2, y: y(0) - size, width: Math.max(0.5, slot - gap), height: size}));
    svg.append(item);
  });
  svg.append(makeSvg('text', {x: left, y: top - 9}, measure.header + (measure.median === null ? '' : '; - - median ' + duration(measure.median))));
  if (measure.median !== null)
    svg.append(makeSvg('line', {class: 'cursor', x1: left, x2: width - right, y1: y(measure.median), y2: y(measure.median), 'stroke-dasharray': '4 3'}));
  if (state.key !== null)
    svg.append(makeSvg('text', {class: 'chosen-name', x: width - right, y: top - 9, 'text-anchor': 'end'},
                       cutText(keyName(node, state.key), Math.floor(width / 2 / letterWidth) - 12) + ' ' + duration(measure.ns[state.key])));
  addKeyLabels(svg, family, order, x, slot, width);
  return svg;
}

function keyBars(node) {
  const {family} = node;
  const step = by => {
    const order = keysInOrder(family), at = order.indexOf(state.key);
    const next = order[at < 0 ? (by > 0 ? 0 : order.length - 1) : at + by];
    if (next !== undefined)
      go({key: next}, true);
  };
  const box = drawingBox(keysText(node, measureNow(family)), element => {
    const svg = keyBarsDrawing(node, Math.max(280, element.clientWidth));
    svg.addEventListener('click', event => {
      const item = event.target.closest('[data-key]');
      if (item)
        go({key: Number(item.dataset.key)});
    });
    element.replaceChildren(svg);
    return {id: ++keyDrawings, resize: () => element.redraw(), dispose: () => {}};
  }, {ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => go({key: keysInOrder(family)[0]}, true),
      End: () => go({key: keysInOrder(family).at(-1)}, true), Escape: () => go({key: null}, true)});
  box.classList.add('keys-chart');
  return box;
}

function keyTable(node) {
  const {family} = node;
  const whole = measureOf(family, 'total').ns, most = Math.max(1, ...measureNow(family).ns);
  const columns = [[family.label, 'text'], ['Calls', ''], ...family.measures.map(measure => [measure.header, '']), ['Share', ''], ['p50', ''], ['p95', '']];
  const head = make('tr', '', null, ...columns.map(([text, className]) => make('th', 'plain ' + className, text)));
  const body = make('tbody', '', null, ...keysInOrder(family).map(index => {
    const [text, calls, p50, p95] = family.keys[index];
    const link = make('a', 'choice', text);
    link.href = addressOf(Object.assign({}, state, {key: index}));
    const figures = family.measures.map(measure => {
      const cell = make('td', '', duration(measure.ns[index]));
      if (measure === measureNow(family))
        addBar(cell, measure.ns[index] / most);
      return cell;
    });
    const line = make('tr', 'leads', null, make('td', 'text', null, link), make('td', '', grouped(calls)), ...figures,
                      make('td', '', percentOf(whole[index], node.time)), make('td', '', duration(p50)), make('td', '', duration(p95)));
    line.dataset.key = index;
    line.title = keyName(node, index);
    line.addEventListener('click', event => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      go({key: index});
    });
    return line;
  }));
  return scrolling(make('table', 'key-table', null, make('thead', '', null, head), body), 'Keys of ' + node.name);
}

// Marks the chosen key's row in PLACE.
function markKey(place) {
  for (const line of place.querySelectorAll('tr.leads')) {
    const isChosen = Number(line.dataset.key) === state.key;
    line.classList.toggle('chosen', isChosen);
    isChosen ? line.setAttribute('aria-current', 'true') : line.removeAttribute('aria-current');
  }
}

// The chosen key: its figures, and the durations of its spans beside when they
// ran.
function keyDetail(node) {
  if (state.key === null)
    return [make('p', 'hint how', 'A click on a bar or a row chooses a key: how long its calls took, and when.')];
  const name = keyName(node, state.key), histogram = node.family.keys[state.key][4];
  const line = make('p', 'hint', name + ': ' + keyFigures(node, state.key) + '.');
  line.setAttribute('aria-live', 'polite');
  const durations = make('div', 'detail', null, make('h3', '', name + ' by duration'),
      histogram.length ? chartBox('Distribution of the durations of ' + name, (box, chart) => histogramChart(box, chart, {name, histogram}))
                       : make('p', 'note', 'No call of it has ended.'));
  return [line, make('div', 'two', null, make('div', '', null, ...keyTimesView(node, state.key)), durations)];
}

// Null in runs without keys.
function keysView() {
  if (!treeNow().nodes.some(node => node.family))
    return null;
  const place = make('div'), detail = make('div');
  const section = makeSection('keys', 'Keys', place, detail);
  let box = null;
  const fill = node => {
    const {family} = node;
    const measures = makeSwitch('Figure', family.measures.map(each => [each.key, each.header]), measureNow(family).key,
        value => go({measure: value === family.measures[0].key ? '' : value}));
    const orders = makeSwitch('Order', [['', 'By ' + family.label], ['time', 'By time']], state.keys, value => go({keys: value}));
    box = keyBars(node);
    place.replaceChildren(make('h3', '', node.name + ' by ' + family.label + ', ' + counted(family.keys.length, 'key')),
                          make('div', 'tools', null, measures, orders), box, ...(family.note ? [make('p', 'key-note', family.note)] : []), keyTable(node));
  };
  section.update = changed => {
    const node = nodeNow();
    section.hidden = !node.family;
    if (!['node', 'key', 'measure', 'keys', 'start'].some(key => changed.has(key)))
      return;
    if (!node.family) {
      place.replaceChildren();
      detail.replaceChildren();
      return;
    }
    if (['node', 'measure', 'keys', 'start'].some(key => changed.has(key))) {
      fill(node);
    } else {
      box.redraw();
    }
    markKey(place);
    detail.replaceChildren(...keyDetail(node));
  };
  section.update(new Set(['start']));
  return section;
}
