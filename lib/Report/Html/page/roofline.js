// The roofline: FLOP/s by FLOP per byte of the GPU's memory, both on logarithmic
// axes, below what memory (the slope) and units (the flat part) allow.

const rooflineSize = {height: 280, left: 64, right: 16, top: 16, bottom: 40};
const siPrefixes = ['', 'k', 'M', 'G', 'T', 'P', 'E'];

// 4.15e14 as "415 T", with three digits.
function siText(value) {
  const step = value < 1000 ? 0 : Math.min(siPrefixes.length - 1, Math.floor(Math.log10(value * 1.0005) / 3));
  return Number((value / 1000 ** step).toPrecision(3)) + (step ? ' ' + siPrefixes[step] : '');
}

// Powers of ten around VALUES, at least DECADES of them.
function decadesOf(values, decades) {
  const low = Math.floor(Math.log10(Math.min(...values)));
  return [low, Math.max(low + decades, Math.ceil(Math.log10(Math.max(...values))))];
}

function rooflineDrawing({flop, bytes, points}, width) {
  const {height, left, right, top, bottom} = rooflineSize;
  const ridge = flop / bytes;
  const [firstX, lastX] = decadesOf([ridge, ...points.map(each => each.intensity)], 2);
  const [firstY, lastY] = decadesOf([flop, ...points.map(each => each.flop)], 2);
  const x = value => left + (Math.log10(value) - firstX) / (lastX - firstX) * (width - left - right);
  const y = value => height - bottom - (Math.log10(value) - firstY) / (lastY - firstY) * (height - top - bottom);
  const svg = makeSvg('svg', {viewBox: '0 0 ' + width + ' ' + height, class: 'curve roofline', role: 'img',
    'aria-label': 'Roofline: ' + points.map(each => each.name + ' at ' + percent(100 * each.share) + ' of its roof').join(', ')});
  const everyY = Math.ceil((lastY - firstY) / 8), everyX = Math.ceil((lastX - firstX) / (width / 70));
  for (let decade = firstY; decade <= lastY; decade += everyY)
    svg.append(makeSvg('line', {class: 'grid', x1: left, x2: width - right, y1: y(10 ** decade), y2: y(10 ** decade)}),
               makeSvg('text', {x: left - 6, y: y(10 ** decade) + 4, 'text-anchor': 'end'}, siText(10 ** decade)));
  for (let decade = firstX; decade <= lastX; decade += everyX)
    svg.append(makeSvg('line', {class: 'grid', x1: x(10 ** decade), x2: x(10 ** decade), y1: top, y2: height - bottom}),
               makeSvg('text', {x: x(10 ** decade), y: height - bottom + 16, 'text-anchor': decade === lastX ? 'end' : 'middle'}, decade < 0 ? String(10 ** decade) : siText(10 ** decade)));
  svg.append(makeSvg('text', {x: (left + width - right) / 2, y: height - 6, 'text-anchor': 'middle'}, 'FLOP per byte'),
             makeSvg('text', {x: left + 4, y: top + 12}, 'FLOP/s'));
  // The slope begins where it leaves the drawing.
  const start = Math.max(10 ** firstX, 10 ** firstY / bytes);
  svg.append(makeSvg('path', {class: 'line roof', d: 'M' + x(start).toFixed(1) + ' ' + y(start * bytes).toFixed(1) +
      'L' + x(ridge).toFixed(1) + ' ' + y(flop).toFixed(1) + 'H' + x(10 ** lastX).toFixed(1)}));
  points.forEach((each, index) => {
    const place = {cx: x(each.intensity).toFixed(1), cy: y(each.flop).toFixed(1)};
    svg.append(makeSvg('circle', {class: 'roof-point', r: 9, ...place}),
               makeSvg('text', {class: 'roof-number', x: place.cx, y: y(each.flop) + 4, 'text-anchor': 'middle'}, String(index + 1)));
  });
  return svg;
}

// Null without figures.
function rooflineView(run) {
  const {roofline} = run;
  if (!roofline)
    return null;
  const list = make('ol', 'roof-list', null, ...roofline.points.map(each => make('li', '', null,
      each.node === null ? each.name : linkTo({node: each.node, tab: 'tree'}, each.name, '', showTabs),
      ': ' + siText(each.flop) + (each.flop < 1000 ? ' ' : '') + 'FLOP/s at ' + Number(each.intensity.toPrecision(3)) + ' FLOP per byte, ' +
      percent(100 * each.share) + ' of its roof')));
  return makeSection('roofline', 'Roofline', overlaidBox(width => rooflineDrawing(roofline, width)), list,
      make('p', 'note', 'A GPU can do ' + siText(roofline.flop) + 'FLOP/s, and its memory ' + siText(roofline.bytes) +
          'B/s: the line is what they allow. The view roofline has the figures, and says whose they are.'));
}
