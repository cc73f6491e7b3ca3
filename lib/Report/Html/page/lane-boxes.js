// The boxes of the timeline's lanes. Their edges are those of the canvas's pixels,
// so that boxes side by side leave no seam, and equal ones become one.

// A list of boxes, each four numbers in a row that grows.
class BoxList {
  constructor() {
    this.numbers = new Int32Array(64);
    this.count = 0;
  }
  add(left, top, right, bottom) {
    if (this.count + 4 > this.numbers.length) {
      const more = new Int32Array(this.numbers.length * 2);
      more.set(this.numbers);
      this.numbers = more;
    }
    this.numbers[this.count++] = left;
    this.numbers[this.count++] = top;
    this.numbers[this.count++] = right;
    this.numbers[this.count++] = bottom;
  }
}

// Boxes by colour, in pixels of a canvas that has SCALE of them for one of the
// page's.
class LaneBoxes {
  constructor(scale) {
    Object.assign(this, {scale, lists: new Map(), keys: new Map(), drawn: 0});
  }
  // What PATH is drawn in; paler where a search doesn't find it.
  colourOf(path) {
    let key = this.keys.get(path);
    if (!key) {
      key = colourOf(path.name) + (state.search && !isFound(path.name) ? '50' : '');
      this.keys.set(path, key);
    }
    return key;
  }
  pixel(place) {
    return Math.round(place * this.scale);
  }
  // A box in pixels of the canvas.
  add(colour, left, top, right, bottom) {
    let list = this.lists.get(colour);
    if (!list)
      this.lists.set(colour, list = new BoxList());
    list.add(left, top, right, bottom);
    ++this.drawn;
  }
  // A box of its own from X0 to X1, at least a pixel wide, in the page's pixels.
  addSpan(path, x0, x1, y, height) {
    const left = this.pixel(x0);
    this.add(this.colourOf(path), left, this.pixel(y), Math.max(left + 1, this.pixel(x1)), this.pixel(y + height));
  }
  // Draws all of them. One path of all boxes would take nine times as long: its
  // edges are sorted in every row of pixels.
  paint(context) {
    context.setTransform(1, 0, 0, 1, 0, 0);
    for (const [colour, {numbers, count}] of this.lists) {
      context.fillStyle = colour;
      for (let i = 0; i < count; i += 4)
        context.fillRect(numbers[i], numbers[i + 1], numbers[i + 2] - numbers[i], numbers[i + 3] - numbers[i + 1]);
    }
    context.setTransform(this.scale, 0, 0, this.scale, 0, 0);
  }
}

// A lane at Y that is HEIGHT high, where columns of pixels show shares: parts of a
// column lie on top of each other, and one that goes on in the next column is one
// box.
class LaneColumn {
  constructor(boxes, y, height) {
    Object.assign(this, {boxes, top: boxes.pixel(y), bottom: boxes.pixel(y + height), x: NaN, to: NaN, parts: new Map(), sum: 0, open: []});
  }
  // PATH took SHARE of the column at X, which is WIDTH wide.
  add(x, width, path, share) {
    if (x !== this.x)
      this.flush();
    this.x = x;
    this.to = x + width;
    this.parts.set(path, (this.parts.get(path) || 0) + share);
    this.sum += share;
  }
  // The parts of the complete column, from the bottom: [colour, top, bottom] in
  // pixels. Parts of less than half a pixel have none; the largest has at least one.
  stacked() {
    const height = this.bottom - this.top, scale = height / Math.max(1, this.sum);
    const stack = [];
    let share = 0, low = this.bottom, largest = null, most = 0;
    for (const [path, its] of this.parts) {
      share += its;
      const high = this.bottom - Math.round(share * scale);
      if (high < low)
        stack.push([this.boxes.colourOf(path), high, low]);
      low = high;
      if (its > most) {
        most = its;
        largest = path;
      }
    }
    if (!stack.length)
      stack.push([this.boxes.colourOf(largest), this.bottom - 1, this.bottom]);
    return stack;
  }
  // Takes the column as complete.
  flush() {
    if (this.sum > 0) {
      const left = this.boxes.pixel(this.x), right = this.boxes.pixel(this.to);
      const before = this.open;
      if (right > left)
        this.open = this.stacked().map(([colour, top, bottom], index) => {
          const same = before[index];
          if (same && same.right === left && same.colour === colour && same.top === top && same.bottom === bottom) {
            same.right = right;
            before[index] = null;
            return same;
          }
          return {colour, left, top, right, bottom};
        });
      if (right > left)
        this.close(before);
    }
    this.parts.clear();
    this.sum = 0;
  }
  close(open) {
    for (const box of open)
      if (box)
        this.boxes.add(box.colour, box.left, box.top, box.right, box.bottom);
  }
  // After the last column.
  end() {
    this.flush();
    this.close(this.open);
    this.open = [];
  }
}
