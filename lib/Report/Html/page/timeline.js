// The last steps as tracks of spans. Ctrl and the wheel zoom, the wheel scrolls
// the page; dragging selects a range, which is summed up; a click chooses the
// call path.

// Rows of TIMELINE: each track has as many as its spans are deep.
function timelineRows(timeline) {
  const names = [], first = [];
  for (const track of timeline.tracks) {
    first.push(names.length);
    const depth = 1 + track.spans.reduce((most, span) => Math.max(most, span[3]), 0);
    for (let i = 0; i < depth; ++i)
      names.push(i ? '' : track.name);
  }
  return {names, first};
}

// {value: [start, end, row], name, node, launch: [row, time]}
function timelineSpans(timeline, first) {
  return timeline.tracks.flatMap((track, index) => track.spans.map(
      ([start, ns, name, depth, node, launchTrack, launched]) => ({
        value: [start, start + ns, first[index] + depth], name: timeline.names[name],
        node: node === undefined ? null : node, track: index, depth,
        launch: launchTrack === undefined ? null : [launchTrack, launched]})));
}

function timelineEnds(timeline) {
  let from = Infinity, to = -Infinity;
  for (const track of timeline.tracks)
    for (const [start, ns] of track.spans) {
      from = Math.min(from, start);
      to = Math.max(to, start + ns);
    }
  return [from, Math.max(to, from + 1)];
}

// What NAMES took of the range [from, to] on each track, spans cut to it: time
// of a name on a track is that of its outermost spans.
function sumRange(timeline, [from, to]) {
  const sums = new Map();
  for (const track of timeline.tracks) {
    const ends = new Map(); // by name, where its last span ends
    for (const [start, ns, name] of track.spans) {
      const low = Math.max(start, from, ends.get(name) || 0), high = Math.min(start + ns, to);
      if (start + ns > (ends.get(name) || 0))
        ends.set(name, start + ns);
      if (high <= low)
        continue;
      const key = track.name + '\n' + name;
      const sum = sums.get(key) || {track: track.name, name: timeline.names[name], ns: 0, count: 0};
      sum.ns += high - low;
      sum.count += 1;
      sums.set(key, sum);
    }
  }
  return [...sums.values()].sort((a, b) => b.ns - a.ns);
}

function sumView(timeline, range) {
  const rows = sumRange(timeline, range);
  const length = range[1] - range[0];
  const body = make('tbody');
  for (const row of rows.slice(0, 12))
    body.append(make('tr', '', null, make('td', 'text', row.name), make('td', 'text', row.track),
                     make('td', '', duration(row.ns)), make('td', '', percentOf(row.ns, length)),
                     make('td', '', grouped(row.count))));
  const head = make('tr');
  for (const [text, className] of [['Name', 'text'], ['Track', 'text'], ['Time', ''], ['Of the range', ''], ['Spans', '']])
    head.append(make('th', 'plain ' + className, text));
  return make('div', 'sum', null, make('h3', '', duration(length) + ' selected'),
              scrolling(make('table', '', null, make('thead', '', null, head), body), 'Sums of the range'),
              ...(rows.length > 12 ? [make('p', 'note', 'and ' + (rows.length - 12) + ' more')] : []));
}

// The arrow from a launch to its work.
function arrowOf(api, span, first) {
  const [x0, y0] = api.coord([span.launch[1], first[span.launch[0]]]);
  const [x1, y1] = api.coord([span.value[0], span.value[2]]);
  return {type: 'group', children: [
    {type: 'bezierCurve', shape: {x1: x0, y1: y0, cpx1: (x0 + x1) / 2, cpy1: y0, cpx2: (x0 + x1) / 2, cpy2: y1, x2: x1, y2: y1},
     style: {stroke: cssColour('--text'), lineWidth: 1.5, fill: null}, silent: true},
    {type: 'polygon', shape: {points: [[x1, y1], [x1 - 7, y1 - 4], [x1 - 7, y1 + 4]]},
     style: {fill: cssColour('--text')}, silent: true}]};
}

// Arrows that are drawn at once.
const arrowsAtMost = 200;

function timelineChart(box, chart, timeline) {
  const {names, first} = timelineRows(timeline);
  const spans = timelineSpans(timeline, first);
  const [from, to] = timelineEnds(timeline);
  const range = state.range || [from, to];
  const arrows = spans.filter(span => span.launch && (state.node === null || span.node === state.node)
      && span.value[0] <= range[1] && span.value[1] >= range[0]).slice(0, arrowsAtMost);
  const rows = Math.max(names.length, 1);
  box.style.height = Math.min(90 + rows * 22, 900) + 'px';
  chart.resize();
  const time = ns => duration(ns - from) === '0' ? '0' : duration(ns - from);
  chart.setOption(Object.assign(baseOptions(), {
    grid: {left: 8, right: 16, top: 8, bottom: 52, containLabel: true},
    xAxis: axis({type: 'value', min: from, max: to, axisLabel: {formatter: time, hideOverlap: true,
                 showMinLabel: false, showMaxLabel: false}}),
    yAxis: axis({type: 'category', data: names, inverse: true, splitLine: {show: false},
                 axisTick: {show: false},
                 axisLabel: {color: cssColour('--text'), width: 110, overflow: 'truncate', interval: 0}}),
    dataZoom: [{type: 'slider', filterMode: 'weakFilter', labelFormatter: time, bottom: 8, height: 22,
                startValue: range[0], endValue: range[1], minValueSpan: 100}],
    brush: {xAxisIndex: 0, brushType: 'lineX', transformable: false,
            brushStyle: {color: cssColour('--select'), borderColor: cssColour('--accent'), borderWidth: 1}},
    toolbox: {show: false},
    series: [{type: 'custom', data: spans, encode: {x: [0, 1], y: 2}, progressive: 0,
      renderItem: (params, api) => {
        const span = spans[params.dataIndex];
        return boxShape(params, api, span.name, colourOf(span.name), false, Object.assign(
            state.search && !isFound(span.name) ? {opacity: 0.3} : {},
            span.node !== null && span.node === state.node ? {stroke: cssColour('--text'), lineWidth: 1.5} : {}));
      }}, {type: 'custom', data: arrows, encode: {x: [0, 1], y: 2}, silent: true, clip: true, z: 5,
           renderItem: (params, api) => arrowOf(api, arrows[params.dataIndex], first)}],
  }));
  chart.setOption({tooltip: {formatter: at => tooltipLines(
      at.data.name, duration(at.data.value[1] - at.data.value[0]), 'at ' + time(at.data.value[0]),
      ...(at.data.launch ? ['launched ' + duration(at.data.value[0] - at.data.launch[1]) + ' before'] : []))}});
  chart.on('click', at => {
    if (at.seriesIndex === 0 && spans[at.dataIndex].node !== null)
      go({node: spans[at.dataIndex].node});
  });
  // A finger scrolls the page.
  if (!matchMedia('(pointer: coarse)').matches)
    chart.dispatchAction({type: 'takeGlobalCursor', key: 'brush',
                          brushOption: {brushType: 'lineX', brushMode: 'single'}});
}

// Ctrl and the wheel zoom around the pointer, Shift and the wheel move; the wheel
// alone is the page's. (The library's own zoom takes every turn of the wheel.)
function wheelTimeline(event, chart, timeline) {
  const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
  if (!event.ctrlKey && !sideways)
    return;
  event.preventDefault();
  const [from, to] = timelineEnds(timeline);
  const {startValue, endValue} = chart.getOption().dataZoom[0];
  const factor = event.ctrlKey ? (event.deltaY < 0 ? 0.7 : 1 / 0.7) : 1;
  const middle = chart.convertFromPixel({xAxisIndex: 0}, event.offsetX);
  const length = Math.min(Math.max((endValue - startValue) * factor, 100), to - from);
  const turned = Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.deltaY;
  const start = event.ctrlKey ? middle - (middle - startValue) * length / (endValue - startValue)
      : startValue + Math.sign(turned) * length / 10;
  const low = Math.max(from, Math.min(start, to - length));
  chart.dispatchAction({type: 'dataZoom', startValue: low, endValue: low + length});
}

// Makes the part of a timeline that is seen FACTOR times as long and moves it by
// BY of its length.
function zoomBy(timeline, factor, by) {
  const [from, to] = timelineEnds(timeline);
  const [start, end] = state.range || [from, to];
  const length = Math.min(Math.max((end - start) * factor, 100), to - from);
  const middle = (start + end) / 2 + by * (end - start);
  const low = Math.round(Math.max(from, Math.min(middle - length / 2, to - length)));
  const isAll = length >= to - from;
  go({range: isAll ? null : [low, Math.round(low + length)]}, true);
}

function timelineView(run) {
  const {timeline} = run;
  if (!timeline)
    return null;
  const place = make('div');
  const select = range => place.replaceChildren(...(range ? [sumView(timeline, range)] : []));
  const box = chartBox('Timeline of the last steps', (element, chart) => {
    timelineChart(element, chart, timeline);
    chart.on('brushEnd', event => {
      const area = event.areas[0];
      select(area ? area.coordRange.map(Math.round) : null);
    });
    let waiting = 0;
    chart.on('dataZoom', () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => {
        const {startValue, endValue} = chart.getOption().dataZoom[0];
        const [from, to] = timelineEnds(timeline);
        own = true;
        go({range: startValue <= from && endValue >= to ? null
                : [Math.round(startValue), Math.round(endValue)]}, true);
        own = false;
      }, 100);
    });
  }, {
    '+': () => zoomBy(timeline, 0.5, 0), '-': () => zoomBy(timeline, 2, 0),
    ArrowLeft: () => zoomBy(timeline, 1, -0.25), ArrowRight: () => zoomBy(timeline, 1, 0.25),
    Escape: () => go({range: null}),
  });
  let own = false; // the chart itself has moved
  box.addEventListener('wheel', event => box.chart && wheelTimeline(event, box.chart, timeline), {passive: false});
  const zoomIn = makeButton('Zoom in', () => zoomBy(timeline, 0.5, 0));
  const zoomOut = makeButton('Zoom out', () => zoomBy(timeline, 2, 0));
  const all = makeButton('All', () => go({range: null}));
  const showUse = () => {
    const [from, to] = state.range || timelineEnds(timeline);
    enable(zoomIn, to - from > 100);
    enable(zoomOut, state.range !== null);
    enable(all, state.range !== null);
  };
  const tools = make('div', 'tools', null, zoomIn, zoomOut, all,
      makeButton('Sum of what is shown', () => select(state.range || timelineEnds(timeline))),
      make('span', 'hint', timeline.note + ' Dragging selects a range and sums it; Ctrl and the wheel zoom, ' +
           'as do + and -; Shift and the wheel or the arrow keys move.'));
  const section = makeSection('timeline', 'Timeline', tools, box, place);
  showUse();
  section.update = changed => {
    if (changed.has('range'))
      showUse();
    if (own && !changed.has('node') && !changed.has('search'))
      return;
    if (['range', 'node', 'search'].some(key => changed.has(key)))
      box.redraw();
  };
  return section;
}
