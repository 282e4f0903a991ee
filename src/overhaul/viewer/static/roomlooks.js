// Pictures of what stands in a room: scaled, turned, mirrored, and blended with a colour.
const WHITE = 0xffffff;

export class Sprites {
  constructor(ready) {
    Object.assign(this, { ready, images: new Map(), tinted: new Map() });
  }

  image(href) {
    if (!this.images.has(href)) {
      const image = new Image();
      image.onload = () => this.ready();
      image.src = href;
      this.images.set(href, image);
    }
    const image = this.images.get(href);
    return image.complete && image.naturalWidth ? image : null;
  }

  /** A picture multiplied by a colour, as a game blends it. */
  blended(href, colour) {
    const image = this.image(href);
    if (!image || colour === WHITE) return image;
    const key = `${colour} ${href}`;
    if (!this.tinted.has(key)) {
      const made = Object.assign(document.createElement("canvas"), { width: image.naturalWidth, height: image.naturalHeight });
      const paint = made.getContext("2d");
      paint.drawImage(image, 0, 0);
      paint.globalCompositeOperation = "multiply";
      paint.fillStyle = `rgb(${colour & 255} ${(colour >> 8) & 255} ${(colour >> 16) & 255})`;
      paint.fillRect(0, 0, made.width, made.height);
      paint.globalCompositeOperation = "destination-in";
      paint.drawImage(image, 0, 0);
      this.tinted.set(key, made);
    }
    return this.tinted.get(key);
  }

  turn(paint, item) {
    if (!item.rotation) return;
    paint.translate(item.x, item.y);
    paint.rotate((-item.rotation * Math.PI) / 180);
    paint.translate(-item.x, -item.y);
  }

  draw(paint, item, look, [left, top, width, height], zoom, isPoint) {
    if (item.group.word === "view") {
      this.frame(paint, item, [left, top, width, height], zoom);
      return;
    }
    const image = look && !isPoint ? this.blended(look.href, item.colour & WHITE) : null;
    paint.save();
    this.turn(paint, item);
    if (!image) {
      paint.fillStyle = isPoint ? "#c2410c" : "#0a625e66";
      paint.fillRect(left, top, width, height);
    } else {
      const [across, down] = item.scale.map((each) => Math.sign(each) || 1);
      paint.globalAlpha *= (item.colour >>> 24) / 255;
      paint.translate(across < 0 ? 2 * left + width : 0, down < 0 ? 2 * top + height : 0);
      paint.scale(across, down);
      if (item.part) paint.drawImage(image, ...item.part, left, top, width, height);
      else paint.drawImage(image, left, top, width, height);
    }
    paint.restore();
  }

  /** A view: what of the room a camera shows. */
  frame(paint, item, box, zoom) {
    const isOn = ["enabled", "visible"].some((key) => item.text(key) === "yes");
    paint.save();
    paint.strokeStyle = isOn ? "#c2410c" : "#c2410c66";
    paint.lineWidth = 2 / zoom;
    paint.strokeRect(...box);
    paint.fillStyle = isOn ? "#c2410c" : "#c2410caa";
    paint.font = `${12 / zoom}px system-ui, sans-serif`;
    paint.fillText(`view ${item.at.slice(item.at.lastIndexOf("/") + 1)}`, box[0] + 4 / zoom, box[1] + 14 / zoom);
    paint.restore();
  }
}
