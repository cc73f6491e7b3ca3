// The timeline: a part of it is seen at a time. Ctrl and the wheel zoom, the
// wheel scrolls the page; dragging selects a range, which is summed up; a click
// chooses the call path.

const leastView = 100; // ns
const restsAfter = 100; // ms without a move
const tracksOpenAtMost = 40; // lanes of tracks that are open at first

function sumView(timeline, range) {
  const rows = sumRange(timeline, range);
  const length = range[1] - range[0];
  const body = make('tbody');
  for (const row of rows.slice(0, 12))
    body.append(make('tr', '', null, make('td', 'text', row.name), make('td', 'text', row.track),
                     make('td', '', (row.count === null ? '≈ ' : '') + duration(row.ns)), make('td', '', percentOf(row.ns, length)),
                     make('td', '', row.count === null ? '–' : grouped(row.count))));
  const head = make('tr');
  for (const [text, className] of [['Name', 'text'], ['Track', 'text'], ['Time', ''], ['Of the range', ''], ['Spans', '']])
    head.append(make('th', 'plain ' + className, text));
  const notes = [];
  if (rows.length > 12)
    notes.push('and ' + (rows.length - 12) + ' more');
  if (rows.some(row => row.count === null))
    notes.push('≈: from bins of ' + duration(readTimeline(timeline).cell) + ', which have no number of spans');
  return make('div', 'sum', null, make('h3', '', duration(length) + ' selected'),
              scrolling(make('table', '', null, make('thead', '', null, head), body), 'Sums of the range'),
              ...notes.map(text => make('p', 'note', text)));
}

// The range FACTOR times as long as [start, end], with what is at MIDDLE where it
// was, moved by BY of its length; no part of it is outside WHOLE.
function zoomed({from, to}, [start, end], factor, middle, by = 0) {
  const length = Math.min(Math.max((end - start) * factor, leastView), to - from);
  const low = middle - (middle - start) * length / (end - start) + by * length;
  const first = Math.max(from, Math.min(low, to - length));
  return [first, first + length];
}

// A range with a little around [start, end].
function around({from, to}, start, end) {
  const more = Math.max((end - start) * 0.1, leastView / 2);
  return [Math.max(from, Math.round(start - more)), Math.min(to, Math.round(end + more))];
}

// Which detail is seen, in words; empty where there is only one.
function detailText(whole, [from, to]) {
  const cut = whole.tracks.filter(track => track.columns.length);
  if (!cut.length)
    return '';
  return cut.every(track => windowAround(track, from, to)) ? 'Each span of this part is drawn. '
      : 'Bins are hatched where they are wide. Marks above the times are where single spans are. ';
}

// The window of single spans next to the middle of RANGE, in the direction BY.
function nextWindow(whole, [from, to], by) {
  const middle = (from + to) / 2;
  const all = whole.tracks.filter(track => track.columns.length).flatMap(track => track.windows)
      .sort((a, b) => a.from - b.from);
  return by > 0 ? all.find(window => window.from > middle) : all.reverse().find(window => window.to < middle);
}

// The next span of a name that is searched for, after or before RANGE's middle.
function nextSpan(whole, [from, to], by) {
  const middle = (from + to) / 2;
  let best = null;
  for (const track of whole.tracks)
    for (const window of track.windows)
      for (const span of window.spans) {
        const at = (span.start + span.end) / 2;
        if ((by > 0 ? at > middle + 1 && (!best || span.start < best.start) : at < middle - 1 && (!best || span.start > best.start)) &&
            isFound(span.path.name))
          best = span;
      }
  return best;
}

// What the pointer is on, in words.
function tipLines(whole, found) {
  const {path, span, parts, from, to} = found;
  if (!span)
    return [path.name + ' ' + duration(parts[0][1]) + ' of ' + duration(to - from), 'at ' + duration(from - whole.from),
            ...parts.slice(1, 6).map(([each, ns]) => each.name + ' ' + duration(ns))];
  return [path.name, duration(span.end - span.start), 'at ' + duration(span.start - whole.from),
          ...(span.launch ? ['launched ' + duration(span.start - span.launch[1]) + ' before'] : []),
          ...(found.count > 1 ? ['and ' + (found.count - 1) + ' more here'] : [])];
}

// Tracks that are open at first: all of them where there is room.
function firstOpen(tracks) {
  const lanes = tracks.reduce((sum, track) => sum + track.depth, 0);
  return new Set(lanes <= tracksOpenAtMost ? tracks : tracks.slice(0, 1));
}

// From so many tracks on, some can be pinned at the top.
const leastToPin = 3;

// The names of the tracks beside their lanes; those of several lanes open and
// close them. PINNED tracks are first, in the order in which they were pinned.
function trackNames(whole, open, pinned, onChange) {
  const list = make('div', 'track-names');
  const change = (set, track, isIn, which) => {
    isIn ? set.delete(track) : set.add(track);
    list.fill();
    onChange();
    list.children[tracksInOrder(whole, pinned).indexOf(track)].querySelector(which).focus();
  };
  list.fill = () => list.replaceChildren(...tracksInOrder(whole, pinned).map(track => {
    const isOpen = open.has(track), isPinned = pinned.has(track);
    const name = track.depth === 1 ? make('span', 'track-name', track.name)
        : makeButton(track.name, () => change(open, track, isOpen, '.track-name'), 'track-name');
    if (track.depth > 1)
      name.setAttribute('aria-expanded', String(isOpen));
    name.title = track.name;
    const item = make('div', '', null, name);
    if (whole.tracks.length >= leastToPin) {
      const pin = makeButton(isPinned ? '×' : '↑', () => change(pinned, track, isPinned, '.pin'), 'pin');
      pin.title = isPinned ? 'Back to its place' : 'Pin at the top';
      pin.setAttribute('aria-label', pin.title + ': ' + track.name);
      item.append(pin);
    }
    item.style.height = laneHeight * (isOpen ? track.depth : 1) + 'px';
    return item;
  }));
  list.fill();
  return list;
}

// What the pointer does in the timeline's BOX. USE has view(), show(range),
// select(range) and choose(what is there).
function pointTimeline(box, whole, use) {
  let start = null; // of a drag, in pixels
  const mark = make('div', 'range');
  const place = event => {
    const area = box.chart.canvas.getBoundingClientRect();
    return [event.clientX - area.left, event.clientY - area.top];
  };
  const drop = () => {
    start = null;
    mark.remove();
  };
  box.addEventListener('pointerdown', event => {
    if (event.button === 0 && event.pointerType !== 'touch' && box.chart)
      start = place(event)[0];
  });
  box.addEventListener('pointermove', event => {
    if (!box.chart)
      return;
    const [x, y] = place(event);
    if (start === null || Math.abs(x - start) < 4) {
      const found = box.chart.at(x, y);
      showTip(box, found ? tipLines(whole, found) : [], x, y);
      return;
    }
    box.setPointerCapture(event.pointerId);
    showTip(box, [duration(Math.abs(box.chart.timeAt(x) - box.chart.timeAt(start)))], x, y);
    mark.style.left = Math.min(x, start) + 'px';
    mark.style.width = Math.abs(x - start) + 'px';
    box.append(mark);
  });
  box.addEventListener('pointerup', event => {
    if (start === null)
      return;
    const [x, y] = place(event), from = start;
    drop();
    if (Math.abs(x - from) >= 4)
      use.select([x, from].sort((a, b) => a - b).map(each => Math.round(
          Math.max(whole.from, Math.min(whole.to, box.chart.timeAt(each))))));
    else
      use.choose(box.chart.at(x, y));
  });
  box.addEventListener('pointercancel', drop);
  box.addEventListener('pointerleave', () => box.chart && showTip(box, []));
  box.addEventListener('dblclick', event => {
    const found = box.chart && box.chart.at(...place(event));
    if (found)
      use.show(found.span ? around(whole, found.span.start, found.span.end) : around(whole, found.from, found.to));
  });
  box.addEventListener('wheel', event => {
    const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (!box.chart || (!event.ctrlKey && !isSideways))
      return;
    event.preventDefault();
    const turned = Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.deltaY;
    const range = box.chart.view;
    use.show(event.ctrlKey ? zoomed(whole, range, event.deltaY < 0 ? 0.7 : 1 / 0.7, box.chart.timeAt(place(event)[0]))
        : zoomed(whole, range, 1, 0, Math.sign(turned) / 10), true);
  }, {passive: false});
}

function showTip(box, lines, x, y) {
  const {tip} = box.chart;
  tip.hidden = !lines.length;
  if (!lines.length)
    return;
  tip.replaceChildren(...lines.map(line => make('div', '', line)));
  tip.style.left = Math.max(0, Math.min(x + 12, box.clientWidth - tip.offsetWidth - 4)) + 'px';
  tip.style.top = Math.max(0, Math.min(y + 14, box.clientHeight - tip.offsetHeight - 4)) + 'px';
}

function timelineView(run) {
  const {timeline} = run;
  if (!timeline)
    return null;
  const whole = readTimeline(timeline);
  const all = [whole.from, whole.to];
  const open = firstOpen(whole.tracks), pinned = new Set();
  const place = make('div');
  const status = make('p', 'hint');
  status.setAttribute('aria-live', 'polite');
  const select = range => place.replaceChildren(...(range ? [sumView(timeline, range)] : []));
  const loader = loaderOf(timeline, state.run);
  const load = () => loader && box.chart && loader.see(view, box.chart.isFine);
  const inside = range => range ? zoomed(whole, range, 1, range[0]) : all;
  let view = inside(state.range), waiting = 0;
  // Shows RANGE; LATER: while it is moved, only the timeline is drawn, and all else,
  // with the address, follows when it rests.
  const show = (range, later = false) => {
    view = inside(range);
    if (box.chart) {
      box.chart.view = view;
      box.chart.drawSoon();
    }
    clearTimeout(waiting);
    const isAll = view[1] - view[0] >= whole.to - whole.from;
    const follow = () => section.isConnected && go({range: isAll ? null : view.map(Math.round)}, true);
    later ? waiting = setTimeout(follow, restsAfter) : follow();
  };
  const zoom = (factor, by = 0, later = false) => show(zoomed(whole, view, factor, (view[0] + view[1]) / 2, by), later);
  const toWindow = by => {
    const next = nextWindow(whole, view, by);
    if (next)
      show(around(whole, next.from, next.to));
  };
  const toSpan = by => {
    const next = nextSpan(whole, view, by);
    if (next)
      show(zoomed(whole, around(whole, next.start, next.end), 4, (next.start + next.end) / 2));
  };
  // Keys that are held repeat.
  const moves = {'+': [0.5], '-': [2], w: [0.5], s: [2], ArrowLeft: [1, -0.25], ArrowRight: [1, 0.25], a: [1, -0.25], d: [1, 0.25]};
  const keys = {
    ...Object.fromEntries(Object.entries(moves).map(([key, [factor, by]]) => [key, () => zoom(factor, by, true)])),
    n: () => toSpan(1), N: () => toSpan(-1), 0: () => show(null), Escape: () => show(null),
  };
  const box = drawingBox('Timeline of ' + counted(whole.tracks.length, 'track') + '; the sum below has the same figures', element => {
    const drawing = new LaneDrawing(element, whole, open, tracksInOrder(whole, pinned));
    drawing.view = view;
    drawing.draw();
    setTimeout(load);
    return drawing;
  }, keys);
  box.classList.add('lanes');
  pointTimeline(box, whole, {show, select, choose: found => {
    if (!found || found.path.node === null)
      return;
    // What is chosen changes the page above; the timeline stays where it is.
    const before = box.getBoundingClientRect().top;
    go({node: found.path.node});
    scrollBy({top: box.getBoundingClientRect().top - before, behavior: 'instant'});
  }});
  const names = trackNames(whole, open, pinned, () => box.redraw());
  const zoomIn = makeButton('Zoom in', () => zoom(0.5)), zoomOut = makeButton('Zoom out', () => zoom(2));
  const everything = makeButton('All', () => show(null));
  const isCut = whole.tracks.some(track => track.columns.length);
  const before = makeButton('Previous single spans', () => toWindow(-1)), after = makeButton('Next single spans', () => toWindow(1));
  const searches = ['Previous match', 'Next match'].map((text, index) => makeButton(text, () => toSpan(index ? 1 : -1)));
  const showUse = () => {
    enable(zoomIn, view[1] - view[0] > leastView);
    enable(zoomOut, state.range !== null);
    enable(everything, state.range !== null);
    enable(before, Boolean(nextWindow(whole, view, -1)));
    enable(after, Boolean(nextWindow(whole, view, 1)));
    searches.forEach((button, index) => {
      button.hidden = !state.search;
      enable(button, Boolean(state.search && nextSpan(whole, view, index ? 1 : -1)));
    });
    status.replaceChildren(detailText(whole, view), ...withCode(loader ? loader.text : timeline.more));
  };
  if (loader)
    loader.onChange = () => {
      if (box.chart)
        box.chart.drawSoon();
      showUse();
    };
  const tools = make('div', 'tools', null, zoomIn, zoomOut, everything, ...(isCut ? [before, after] : []), ...searches,
      makeButton('Sum of what is shown', () => select(view.map(Math.round))),
      make('span', 'hint', groupedText(timeline.note)), make('span', 'hint how', 'Dragging selects a range and sums it; Ctrl and the wheel zoom, ' +
           'as do W, S, + and -; Shift and the wheel, A, D or the arrow keys move. A double click fits what is there.'));
  const section = makeSection('timeline', 'Timeline', tools, make('div', 'tracks', null, names, box), ...(isCut ? [status] : []), place);
  showUse();
  section.update = changed => {
    if (changed.has('range')) {
      view = inside(state.range);
      if (box.chart)
        box.chart.view = view;
      showUse();
    }
    if (changed.has('search'))
      showUse();
    if (box.chart && ['range', 'node', 'search'].some(key => changed.has(key)))
      box.chart.drawSoon();
    if (changed.has('range'))
      load();
  };
  return section;
}
