// What of a room a canvas shows: scale and place, pointers and pinches, the picture behind, the map.
const MOST = 16;

export class Camera {
  constructor(canvas, { width, height }, draw, output) {
    Object.assign(this, { canvas, width, height, draw, output, zoom: 1, x: 0, y: 0, down: new Map() });
    this.ratio = window.devicePixelRatio || 1;
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (event.ctrlKey || event.metaKey) this.scale(event.deltaY < 0 ? 1.25 : 0.8, [event.offsetX, event.offsetY]);
      else this.pan((event.shiftKey ? event.deltaY : event.deltaX) / this.zoom, (event.shiftKey ? 0 : event.deltaY) / this.zoom);
    }, { passive: false });
  }

  resize() {
    this.canvas.width = Math.max(1, Math.round(this.canvas.clientWidth * this.ratio));
    this.canvas.height = Math.max(1, Math.round(this.canvas.clientHeight * this.ratio));
    this.draw();
  }

  fit() {
    const { clientWidth, clientHeight } = this.canvas;
    const most = Math.min(clientWidth / this.width, clientHeight / this.height) || 1;
    this.zoom = Math.min(MOST, most > 1 ? Math.floor(most) : most);
    this.x = (this.width - clientWidth / this.zoom) / 2;
    this.y = (this.height - clientHeight / this.zoom) / 2;
    this.scaled();
  }

  /** Make it larger or smaller; a place of the canvas stays where it is. */
  scale(by, at = [this.canvas.clientWidth / 2, this.canvas.clientHeight / 2]) {
    const [x, y] = this.place(at);
    this.zoom = Math.max(1 / 64, Math.min(MOST, this.zoom * by));
    this.x = x - at[0] / this.zoom;
    this.y = y - at[1] / this.zoom;
    this.scaled();
  }

  /** The room has another size than before. */
  sized({ width, height }) {
    Object.assign(this, { width, height });
    this.draw();
  }

  pan(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.draw();
  }

  scaled() {
    this.output.textContent = `${Math.round(this.zoom * 100)}%`;
    this.draw();
  }

  /** The place in the room of a place of the canvas. */
  place([x, y]) { return [this.x + x / this.zoom, this.y + y / this.zoom]; }

  /** The place in the room that is in the middle of the canvas. */
  middle() { return this.place([this.canvas.clientWidth / 2, this.canvas.clientHeight / 2]); }

  visible() { return [...this.place([0, 0]), ...this.place([this.canvas.clientWidth, this.canvas.clientHeight])]; }

  begin() {
    const paint = this.canvas.getContext("2d");
    paint.setTransform(1, 0, 0, 1, 0, 0);
    paint.clearRect(0, 0, this.canvas.width, this.canvas.height);
    const scale = this.zoom * this.ratio;
    paint.setTransform(scale, 0, 0, scale, -this.x * scale, -this.y * scale);
    paint.imageSmoothingEnabled = this.zoom < 1;
    return paint;
  }

  grid(paint, step) {
    if (step * this.zoom < 4) return;
    const [x1, y1, x2, y2] = this.visible();
    paint.strokeStyle = "#8888";
    paint.lineWidth = 1 / this.zoom;
    paint.beginPath();
    for (let x = Math.ceil(Math.max(0, x1) / step) * step; x <= Math.min(this.width, x2); x += step) {
      paint.moveTo(x, Math.max(0, y1));
      paint.lineTo(x, Math.min(this.height, y2));
    }
    for (let y = Math.ceil(Math.max(0, y1) / step) * step; y <= Math.min(this.height, y2); y += step) {
      paint.moveTo(Math.max(0, x1), y);
      paint.lineTo(Math.min(this.width, x2), y);
    }
    paint.stroke();
  }

  /** The picture behind what can be moved: one, or tiles of it at the scale that is shown; after a
   * step they are of another edition. */
  back(page, edition = 0) {
    const images = new Map();
    const image = (href) => {
      if (!images.has(href)) {
        const made = new Image();
        made.onload = () => this.draw();
        made.src = href;
        images.set(href, made);
      }
      return images.get(href);
    };
    const put = (paint, href, ...box) => {
      const it = image(href);
      if (it.complete && it.naturalWidth) paint.drawImage(it, ...box);
    };
    return {
      ground: (paint) => {
        paint.fillStyle = "#0003";
        paint.fillRect(0, 0, page.width, page.height);
        if (page.picture) put(paint, page.picture, 0, 0, page.width, page.height);
      },
      layers: (paint, layers) => {
        if (!page.tiles || layers === "none") return;
        const [width, height] = page.behind ?? [page.width, page.height];
        const level = Math.max(0, Math.min(page.levels, Math.floor(Math.log2(1 / this.zoom) + 0.01)));
        const side = page.tile * 2 ** level;
        const [x1, y1, x2, y2] = this.visible();
        for (let y = Math.max(0, Math.floor(y1 / side)); y * side < Math.min(height, y2); y++) {
          for (let x = Math.max(0, Math.floor(x1 / side)); x * side < Math.min(width, x2); x++) {
            put(paint, `${page.tiles}/${level}/${x}/${y}.png?layers=${layers}${edition ? `&edition=${edition}` : ""}`, x * side, y * side,
              Math.min(side, width - x * side), Math.min(side, height - y * side));
          }
        }
      },
    };
  }

  /** The whole room, small: dots where elements are, and what is shown of it. */
  minimap(map, items) {
    const paint = map.getContext("2d");
    const scale = Math.min(map.width / this.width, map.height / this.height);
    paint.clearRect(0, 0, map.width, map.height);
    paint.fillStyle = "#8885";
    paint.fillRect(0, 0, this.width * scale, this.height * scale);
    paint.fillStyle = "#0a625e";
    for (const { x, y } of items) paint.fillRect(x * scale, y * scale, 1.5, 1.5);
    const [x1, y1, x2, y2] = this.visible();
    map.hidden = x1 <= 0 && y1 <= 0 && x2 >= this.width && y2 >= this.height;
    paint.strokeStyle = "#c2410c";
    paint.strokeRect(x1 * scale, y1 * scale, (x2 - x1) * scale, (y2 - y1) * scale);
    map.onclick = (event) => {
      const [x, y] = [event.offsetX / scale, event.offsetY / scale];
      this.pan(x - (x1 + x2) / 2, y - (y1 + y2) / 2);
    };
  }

  /** Pointers: one does what the page does, the middle button or two fingers move and scale. */
  pointers({ down, drag, up, over }) {
    const { canvas } = this;
    const at = (event) => [event.offsetX, event.offsetY];
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      canvas.focus({ preventScroll: true });
      this.down.set(event.pointerId, at(event));
      this.panning = event.button === 1 || this.down.size > 1;
      if (this.down.size === 2) up(this.place(at(event)));
      if (!this.panning && event.button === 0) down(this.place(at(event)), event);
      if (event.button === 1) event.preventDefault();
    });
    canvas.addEventListener("pointermove", (event) => {
      const before = this.down.get(event.pointerId);
      if (!before) { over(this.place(at(event))); return; }
      const now = at(event);
      if (this.down.size === 2) this.pinch(event.pointerId, before, now);
      else if (this.panning) this.pan((before[0] - now[0]) / this.zoom, (before[1] - now[1]) / this.zoom);
      else drag(this.place(now));
      this.down.set(event.pointerId, now);
    });
    const end = (event) => {
      if (!this.down.delete(event.pointerId)) return;
      if (!this.panning) up(this.place(at(event)));
      if (!this.down.size) this.panning = false;
    };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
  }

  pinch(id, before, now) {
    const [other] = [...this.down].filter(([key]) => key !== id).map(([, place]) => place);
    const apart = (place) => Math.hypot(place[0] - other[0], place[1] - other[1]) || 1;
    this.pan((before[0] - now[0]) / 2 / this.zoom, (before[1] - now[1]) / 2 / this.zoom);
    this.scale(apart(now) / apart(before), [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2]);
  }
}
