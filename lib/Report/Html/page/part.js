// The part of the run that was chosen on its curve: its figures, from the bins
// that it has, and how long its steps took. Without one, of the whole run.

// The bins of the chosen part: {from, to, first, end}; null without.
function partNow(history) {
  if (!history || !state.part)
    return null;
  const [from, to] = state.part;
  const starts = [0, ...history.ends.slice(0, -1)];
  const first = history.ends.findIndex(end => end > from);
  const end = first + starts.slice(first).filter(start => start < to).length;
  return first < 0 ? null : {first, end, from: starts[first], to: history.ends[end - 1]};
}

const wholePart = history => ({first: 0, end: history.ends.length, from: 0, to: history.ends.at(-1)});
const partTime = part => duration(part.from) + ' to ' + duration(part.to);

// Steps whose duration is known.
const knownSteps = ({buckets}) => buckets.reduce((sum, count) => sum + count, 0);

// The duration below which FRACTION of the steps in BUCKETS are; null where it
// isn't known within 12 %. HistoryFigures.cpp has the same rule.
function quantileOf({steps, buckets, edges, longest}, fraction) {
  const known = knownSteps({buckets});
  if (!steps || known !== steps || !edges.length)
    return null;
  if (longest && fraction * known > known - 1)
    return longest; // it is the longest that is asked for
  let upto = 0;
  const at = buckets.findIndex(count => (upto += count) >= fraction * known && count);
  if (at < 0 || at + 1 >= buckets.length || edges[at + 1] > edges[at] * 1.25 * (1 + 1e-9))
    return null;
  const ns = Math.sqrt(edges[at] * edges[at + 1]);
  return longest ? Math.min(ns, longest) : ns;
}

// What LOOP did in PART.
function loopFigures(history, loop, part) {
  const sum = values => values.slice(part.first, part.end).reduce((all, value) => all + value, 0);
  const buckets = loop.edges.slice(0, -1).map(() => 0);
  let ran = 0; // seconds of bins in which the loop ran
  for (let bin = part.first; bin < part.end; ++bin) {
    for (const [bucket, count] of loop.buckets[bin])
      buckets[bucket] += count;
    if (loop.rates[bin] !== null)
      ran += (history.ends[bin] - (bin ? history.ends[bin - 1] : 0)) / 1e9;
  }
  const longest = loop.longest.slice(part.first, part.end).reduce((most, value) => Math.max(most, value || 0), 0) || null;
  const figures = {steps: sum(loop.steps), samples: sum(loop.samples), ns: sum(loop.ns), buckets, edges: loop.edges, longest};
  // Of the whole run, the tree has finer buckets.
  const isWhole = part.end - part.first === history.ends.length && knownSteps(figures) === figures.steps;
  return Object.assign(figures, {
    mean: figures.steps ? figures.ns / figures.steps : null,
    rate: ran > 0 ? (loop.unit === 'samples/s' ? figures.samples : figures.steps) / ran : null,
    p50: isWhole ? loop.whole.p50 : quantileOf(figures, 0.5), p95: isWhole ? loop.whole.p95 : quantileOf(figures, 0.95)});
}

// Where the time of LOOP's steps went in PART, as a bar.
function partSplit(history, index, part) {
  const loop = history.loops[index];
  return {title: 'Where the time of ' + loop.name + '’s steps goes, ' + partTime(part), node: null,
          parts: history.parts.filter(each => each.loop === index && each.use !== 'inner_waits').map(each => ({
            name: each.name, node: each.node,
            ns: Math.max(0, each.ns.slice(part.first, part.end).reduce((all, ns) => all + ns, 0))}))
              .filter(each => each.ns > 0).sort((a, b) => b.ns - a.ns)};
}

function partTable(history, part) {
  const columns = [['Loop', 'text'], ['Steps', ''], ['Rate', ''], ['In steps', ''], ['Mean step', ''], ['p50', ''], ['p95', ''], ['Longest', '']];
  const head = make('tr');
  columns.forEach(([text, className]) => head.append(make('th', 'plain ' + className, text)));
  const body = make('tbody');
  for (const loop of history.loops) {
    const its = loopFigures(history, loop, part);
    if (!its.steps && !its.ns)
      continue;
    const cells = [loop.name, grouped(its.steps), historyValue(its.rate, loop.unit), duration(its.ns), duration(its.mean),
                   duration(its.p50), duration(its.p95), duration(its.longest)];
    const line = make('tr');
    cells.forEach((cell, column) => line.append(make('td', columns[column][1], cell)));
    body.append(line);
  }
  return body.rows.length ? scrolling(make('table', 'part-figures', null, make('thead', '', null, head), body), 'Steps of the chosen part')
      : make('p', 'note', 'No loop ran in this part.');
}

const distributionSize = {height: 150, left: 64, right: 12, top: 20, bottom: 24};

// The steps of FIGURES by duration, WIDTH wide; null where their durations aren't
// known.
function distributionDrawing(name, figures, width) {
  const {buckets, edges} = figures;
  const first = buckets.findIndex(count => count), last = buckets.findLastIndex(count => count);
  if (first < 0)
    return null;
  const {height, left, right, top, bottom} = distributionSize;
  const low = Math.max(0, first - 1), high = Math.min(buckets.length - 1, last + 1);
  const most = Math.max(...buckets);
  const x = bucket => left + (bucket - low) / (high + 1 - low) * (width - left - right);
  const y = count => height - bottom - count / roundUp(most) * (height - top - bottom);
  const svg = makeSvg('svg', {viewBox: '0 0 ' + width + ' ' + height, class: 'curve distribution', role: 'img'});
  const quantiles = ['p50', 'p95'].filter(key => figures[key] !== null);
  svg.setAttribute('aria-label', 'Step times of ' + name + ', ' + grouped(knownSteps(figures)) + ' steps from ' + duration(edges[first]) + ' to ' +
      duration(edges[last + 1]) + quantiles.map(key => ', ' + key + ' ' + duration(figures[key])).join(''));
  for (const count of [0, roundUp(most)])
    svg.append(makeSvg('line', {class: 'grid', x1: left, x2: width - right, y1: y(count), y2: y(count)}),
               makeSvg('text', {x: left - 6, y: y(count) + 4, 'text-anchor': 'end'}, grouped(count)));
  for (let bucket = first; bucket <= last; ++bucket) {
    if (!buckets[bucket])
      continue;
    const bar = Math.max(2, y(0) - y(buckets[bucket]));
    const item = makeSvg('rect', {x: x(bucket), y: y(0) - bar, width: Math.max(1, x(bucket + 1) - x(bucket) - 1), height: bar, fill: curveColours[0]});
    item.append(makeSvg('title', {}, duration(edges[bucket]) + ' to ' + duration(edges[bucket + 1]) + ': ' + grouped(buckets[bucket]) + ' steps'));
    svg.append(item);
  }
  // The first and the last one, and those between that have room.
  const labelRoom = 75, ends = [low, high + 1];
  let free = x(low) + 1.5 * labelRoom;
  for (let bucket = low; bucket <= high + 1; ++bucket) {
    const isEnd = ends.includes(bucket);
    if (!isEnd && (x(bucket) < free || x(bucket) > x(high + 1) - 1.5 * labelRoom))
      continue;
    free = isEnd ? free : x(bucket) + labelRoom;
    svg.append(makeSvg('text', {x: x(bucket), y: height - 7, 'text-anchor': bucket === low ? 'start' : bucket > high ? 'end' : 'middle'}, duration(edges[bucket])));
  }
  // Where their bucket is, since they are known to it.
  const places = quantiles.map(key => x(edges.findLastIndex(edge => edge <= figures[key]) + 0.5));
  quantiles.forEach((key, index) => {
    const place = places[index];
    svg.append(makeSvg('line', {class: 'cursor', x1: place, x2: place, y1: top, y2: height - bottom, 'stroke-dasharray': '4 3'}));
    const isFirst = index + 1 < quantiles.length, both = isFirst && places[index + 1] === place;
    if (index && places[index - 1] === place)
      return;
    svg.append(makeSvg('text', {class: 'quantile-name', x: place + (both ? 0 : isFirst ? -3 : 3), y: top - 6,
                                'text-anchor': both ? 'middle' : isFirst ? 'end' : 'start'}, both ? quantiles.join(', ') : key));
  });
  return svg;
}

// The chosen part's figures and step times; the first loop that ran in it.
function partView(history) {
  const place = make('div', 'part-of-run');
  const box = make('div', 'distribution-box');
  let draw = () => {};
  box.fit = () => draw();
  place.fill = () => {
    const part = partNow(history);
    const shown = part || wholePart(history);
    const index = history.loops.findIndex(loop => loopFigures(history, loop, shown).steps);
    const figures = index < 0 ? null : loopFigures(history, history.loops[index], shown);
    const items = [];
    if (part) {
      items.push(make('h3', '', 'The chosen part, ' + partTime(part)), partTable(history, part));
      const split = index < 0 ? null : partSplit(history, index, part);
      if (split && split.parts.length)
        items.push(splitView(split));
    }
    draw = () => {
      const svg = figures && distributionDrawing(history.loops[index].name, figures, Math.max(curveSize.least, Math.min(curveSize.most, box.clientWidth || 600)));
      box.replaceChildren(...(svg ? [svg] : []));
      return svg;
    };
    if (draw()) {
      items.push(make('h3', '', 'Steps of ' + history.loops[index].name + ' by duration' + (part ? '' : ', whole run')), box);
      if (knownSteps(figures) < figures.steps)
        items.push(make('p', 'note', grouped(knownSteps(figures)) + ' of ' + grouped(figures.steps) + ' steps: of the others, the file doesn’t have the durations.'));
    } else if (part && figures) {
      items.push(make('p', 'note', 'The file doesn’t have the step times of this part.'));
    }
    place.replaceChildren(...items);
  };
  fitting.observe(box);
  place.fill();
  return place;
}

// Says in SECTION that it isn't of the chosen part, while one is chosen.
function markWhole(section, run) {
  if (!['ranks', 'tables', 'keys', 'icicle', 'source'].includes(section.id))
    return;
  let note = section.querySelector('.whole-run');
  if (!partNow(run.history)) {
    if (note)
      note.remove();
    return;
  }
  if (!note) {
    note = make('p', 'note whole-run', 'Of the whole run: what is below isn’t known by part.');
    const title = section.querySelector('h2');
    title ? title.after(note) : section.prepend(note);
  }
}
