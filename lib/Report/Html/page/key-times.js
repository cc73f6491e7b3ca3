// When the spans of a key ran, and how long they took, beside those of all keys
// of its phase: by part of the run, where single spans were recorded.

// What the lines of the drawing are.
function keyTimesLegend(name) {
  const sample = (className, ...shapes) => {
    const svg = makeSvg('svg', {viewBox: '0 0 26 8', class: 'sample', 'aria-hidden': 'true'});
    svg.append(...shapes);
    return svg;
  };
  const line = className => sample(className, makeSvg('line', {class: className, x1: 0, x2: 26, y1: 4, y2: 4}));
  return make('p', 'small-parts', null,
      make('span', 'small-part', null, line('after-line'), ' ' + name + ', mean'),
      make('span', 'small-part', null, sample('', makeSvg('circle', {class: 'longest-dot', cx: 13, cy: 4, r: 2.5})), ' its longest'),
      make('span', 'small-part', null, line('before-line'), ' all keys, mean'));
}

function keyTimesDrawing(name, {from, to, cells, all}, own, width) {
  const {left, right, height, top: edge, bottom} = overlaidSize;
  const means = list => {
    const values = Array(cells).fill(null);
    list.forEach(([cell, spans, ns]) => values[cell] = ns / spans);
    return values;
  };
  const top = roundUp(Math.max(1, ...own.map(each => each[3]), ...means(all)));
  const x = cell => left + cell / cells * (width - left - right);
  const time = part => duration(from + part * (to - from));
  const parts = width < 500 ? [0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1];
  const {svg, y} = overlaidFrame(width, name + ' over time: ' + counted(own.reduce((sum, each) => sum + each[1], 0), 'call') + ', the longest ' +
      duration(Math.max(...own.map(each => each[3]))), top, duration, parts.map(part => [x(part * cells), time(part)]));
  svg.append(makeSvg('path', {class: 'line before-line', d: stepPath(means(all), x, y)}),
             makeSvg('path', {class: 'line after-line', d: stepPath(means(own), x, y)}));
  for (const [cell, spans, ns, longest] of own) {
    const item = makeSvg('g', {});
    item.append(makeSvg('title', {}, time(cell / cells) + ' to ' + time((cell + 1) / cells) + ': ' + counted(spans, 'call') + ', mean ' + duration(ns / spans) +
                                     ', longest ' + duration(longest)),
                makeSvg('rect', {class: 'ground', x: x(cell), y: edge, width: x(1) - x(0), height: height - edge - bottom}),
                makeSvg('circle', {class: 'longest-dot', cx: x(cell + 0.5), cy: y(longest), r: 2.5}));
    svg.append(item);
  }
  return svg;
}

// The key with INDEX of NODE, over the run or, without single spans, what
// records them.
function keyTimesView(node, index) {
  const {times, keys} = node.family, name = keyName(node, index);
  const title = make('h3', '', name + ' over time');
  const missing = runNow().tree.times_missing;
  if (missing)
    return [title, make('p', 'note', null, ...withCode(missing))];
  const own = times ? times.keys[index] : [];
  if (!own.length)
    return [title, make('p', 'note', 'The timeline has no call of ' + name + '.')];
  const found = own.reduce((sum, each) => sum + each[1], 0);
  return [title, overlaidBox(width => keyTimesDrawing(name, times, own, width)), keyTimesLegend(name),
          make('p', 'note', 'By when a call began, in ' + times.cells + ' parts of the timeline’s time.' +
              (found === keys[index][1] ? '' : ' The timeline has ' + grouped(found) + ' of ' + counted(keys[index][1], 'call') + '.'))];
}
