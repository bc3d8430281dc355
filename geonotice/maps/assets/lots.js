/* Every lot of the town, on one canvas: unpacked, drawn, and found under a point. An SVG path for each would take minutes. */
"use strict";
geonotice.lots = (() => {
  const STEPS_PER_DEGREE = 500000;
  const AT_ONCE = 40; // outlines in one path: a canvas takes far longer than twice as long for twice as many
  const SIGN_PX = 20; // from this size on, a lot has room for its question mark

  /** Inflate base64 text; null where this browser cannot. */
  async function inflate(text) {
    if (typeof DecompressionStream === "undefined") return null;
    const packed = atob(text);
    const bytes = new Uint8Array(packed.length);
    for (let n = 0; n < bytes.length; n += 1) bytes[n] = packed.charCodeAt(n);
    return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer());
  }

  /** Unpack outlines (lot_layer.py) into flat arrays, in pixels of a world map at zoom 0. */
  function decode(bytes) {
    const reader = (at) => () => {
      let value = 0;
      let shift = 0;
      let octet;
      do { octet = bytes[at]; at += 1; value |= (octet & 127) << shift; shift += 7; } while (octet > 127);
      return value;
    };
    const sign = (value) => (value >>> 1) ^ -(value & 1);
    const lead = reader(0);
    const [lots, rings, corners, headBytes, knownBytes] = [lead(), lead(), lead(), lead(), lead()];
    let start = 0;
    for (let n = 0; n < 5; start += 1) if (bytes[start] < 128) n += 1;
    const head = reader(start);
    const known = reader(start + headBytes);
    const step = reader(start + headBytes + knownBytes);
    const [easts, norths] = [new Int32Array(corners), new Int32Array(corners)]; // of each new corner
    let news = 0;
    let place = 0; // of the corner before, among the new ones
    const x = new Float64Array(corners);
    const y = new Float64Array(corners);
    const ringStart = new Int32Array(rings + 1);
    const lotStart = new Int32Array(lots + 1);
    const box = new Float64Array(4 * lots); // west, north, east, south
    let ring = 0;
    let corner = 0;
    let east = 0;
    let north = 0;
    for (let lot = 0; lot < lots; lot += 1) {
      lotStart[lot] = ring;
      const first = head();
      const counts = first & 1 ? Array.from({ length: first >>> 1 }, head) : [first >>> 1];
      let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
      for (const count of counts) {
        ringStart[ring] = corner;
        ring += 1;
        for (const end = corner + count; corner < end; corner += 1) {
          const back = known();
          if (back) {
            place += sign(back - 1);
            east = easts[place];
            north = norths[place];
          } else {
            place = news;
            news += 1;
            east += sign(step());
            north += sign(step());
            easts[place] = east;
            norths[place] = north;
          }
          const across = (east / STEPS_PER_DEGREE + 180) / 360 * 256;
          const down = (0.5 - Math.log(Math.tan(Math.PI / 4 + north / STEPS_PER_DEGREE * Math.PI / 360)) / (2 * Math.PI)) * 256;
          x[corner] = across;
          y[corner] = down;
          if (across < left) left = across;
          if (across > right) right = across;
          if (down < top) top = down;
          if (down > bottom) bottom = down;
        }
      }
      box.set([left, top, right, bottom], 4 * lot);
    }
    lotStart[lots] = ring;
    ringStart[rings] = corner;
    return { lots, x, y, ringStart, lotStart, box };
  }

  const degrees = (across, down) => [Math.atan(Math.sinh(Math.PI * (1 - 2 * down / 256))) * 180 / Math.PI, across / 256 * 360 - 180];

  /** Where a line across the lot, at a height, meets its outline. */
  function crossings(packed, lot, height) {
    const { x, y, ringStart, lotStart } = packed;
    const found = [];
    for (let ring = lotStart[lot]; ring < lotStart[lot + 1]; ring += 1) {
      const [first, end] = [ringStart[ring], ringStart[ring + 1]];
      for (let n = first, before = end - 1; n < end; before = n, n += 1) {
        if ((y[n] > height) !== (y[before] > height)) found.push(x[n] + (height - y[n]) / (y[before] - y[n]) * (x[before] - x[n]));
      }
    }
    return found.sort((a, b) => a - b);
  }

  /** The lots at a point, the smallest first: units of a condominium may all lie on one land. */
  function at(packed, latlng) {
    const { x: across, y: down } = L.CRS.EPSG3857.latLngToPoint(L.latLng(latlng), 0);
    const { box, lots } = packed;
    const found = [];
    for (let lot = 0, n = 0; lot < lots; lot += 1, n += 4) {
      if (across < box[n] || across > box[n + 2] || down < box[n + 1] || down > box[n + 3]) continue;
      if (crossings(packed, lot, down).filter((edge) => edge > across).length % 2) found.push(lot);
    }
    const size = (lot) => (box[4 * lot + 2] - box[4 * lot]) * (box[4 * lot + 3] - box[4 * lot + 1]);
    return found.sort((a, b) => size(a) - size(b) || a - b);
  }

  /** A point within a lot: halfway up, in the middle of its widest part there. */
  function inside(packed, lot) {
    const [west, north, east, south] = packed.box.subarray(4 * lot, 4 * lot + 4);
    const height = (north + south) / 2;
    const edges = crossings(packed, lot, height);
    let best = [west, east];
    for (let n = 0, widest = 0; n + 1 < edges.length; n += 2) {
      if (edges[n + 1] - edges[n] > widest) { widest = edges[n + 1] - edges[n]; best = [edges[n], edges[n + 1]]; }
    }
    return degrees((best[0] + best[1]) / 2, height);
  }

  /** A lot's outline as closed lines. */
  function outline(packed, lot) {
    const lines = [];
    for (let ring = packed.lotStart[lot]; ring < packed.lotStart[lot + 1]; ring += 1) {
      const line = [];
      for (let n = packed.ringStart[ring]; n < packed.ringStart[ring + 1]; n += 1) line.push(degrees(packed.x[n], packed.y[n]));
      lines.push([...line, line[0]]);
    }
    return lines;
  }

  /** A hatch of the palette as a canvas draws it: the same marks as the legend's SVG. */
  function pattern(pen, hatch) {
    const fine = 2;
    const tile = document.createElement("canvas");
    tile.width = hatch.size * fine;
    tile.height = hatch.size * fine;
    const brush = tile.getContext("2d");
    brush.scale(fine, fine);
    if (hatch.ground !== "none") { brush.fillStyle = hatch.ground; brush.fillRect(0, 0, hatch.size, hatch.size); }
    brush.fillStyle = hatch.ink;
    if (hatch.marks === "dots") { brush.beginPath(); brush.arc(hatch.size / 2, hatch.size / 2, hatch.width, 0, 7); brush.fill(); }
    if (hatch.marks === "stripes" || hatch.marks === "crossed") brush.fillRect(0, 0, hatch.width, hatch.size);
    if (hatch.marks === "rungs" || hatch.marks === "crossed") brush.fillRect(0, 0, hatch.size, hatch.width);
    const made = pen.createPattern(tile, "repeat");
    made.setTransform(new DOMMatrix().rotate(hatch.angle).scale(1 / fine));
    return made;
  }

  const Canvas = L.Renderer.extend({
    /**
     * `open(lot)` says whether a lot gets the question mark. With `options.paints`, `options.paintOf(lot)` is the place of the lot's paint
     * among them: `{fill}` or `{hatch}`.
     */
    initialize(packed, style, open, options) {
      this._packed = packed;
      this._style = style;
      this._open = open;
      L.Renderer.prototype.initialize.call(this, options);
    },
    _initContainer() {
      this._container = document.createElement("canvas");
      this._container.className = "lots";
      this._container.setAttribute("aria-hidden", "true");
    },
    _destroyContainer() {
      this._container.remove();
      delete this._container;
    },
    _updatePaths() {},
    _update() {
      if (this._map._animatingZoom && this._bounds) return;
      L.Renderer.prototype._update.call(this);
      const size = this._bounds.getSize();
      const fine = window.devicePixelRatio > 1 ? 2 : 1;
      L.DomUtil.setPosition(this._container, this._bounds.min);
      this._container.width = fine * size.x;
      this._container.height = fine * size.y;
      this._container.style.width = `${size.x}px`;
      this._container.style.height = `${size.y}px`;
      const pen = this._container.getContext("2d");
      pen.scale(fine, fine);
      this._paint(pen, size);
    },
    _paint(pen, size) {
      const { x, y, ringStart, lotStart, box, lots } = this._packed;
      const scale = 2 ** this._map.getZoom();
      const origin = this._map.getPixelOrigin().add(this._bounds.min);
      const [west, north, east, south] = [origin.x / scale, origin.y / scale, (origin.x + size.x) / scale, (origin.y + size.y) / scale];
      const seen = [];
      for (let lot = 0, n = 0; lot < lots; lot += 1, n += 4) {
        if (box[n] <= east && box[n + 2] >= west && box[n + 1] <= south && box[n + 3] >= north) seen.push(lot);
      }
      const trace = (some) => {
        pen.beginPath();
        for (const lot of some) {
          for (let ring = lotStart[lot]; ring < lotStart[lot + 1]; ring += 1) {
            const first = ringStart[ring];
            pen.moveTo(x[first] * scale - origin.x, y[first] * scale - origin.y);
            for (let n = first + 1; n < ringStart[ring + 1]; n += 1) pen.lineTo(x[n] * scale - origin.x, y[n] * scale - origin.y);
            pen.closePath();
          }
        }
      };
      const batches = (all, act) => { for (let n = 0; n < all.length; n += AT_ONCE) { trace(all.slice(n, n + AT_ONCE)); act(); } };
      const sides = seen.slice(0, 1000).map((lot) => Math.min(box[4 * lot + 2] - box[4 * lot], box[4 * lot + 3] - box[4 * lot + 1]) * scale).sort((a, b) => a - b);
      const side = sides[sides.length >> 1] || 0;
      if (this._style.fillOpacity > 0) {
        pen.fillStyle = this._style.fillColor;
        pen.globalAlpha = this._style.fillOpacity;
        batches(seen, () => pen.fill("evenodd"));
      }
      const open = seen.filter(this._open);
      pen.globalAlpha = 1;
      if (this.options.paints) {
        const alike = this.options.paints.map(() => []);
        for (const lot of seen) alike[this.options.paintOf(lot)].push(lot);
        this.options.paints.forEach((paint, n) => {
          pen.fillStyle = paint.hatch ? pattern(pen, paint.hatch) : paint.fill;
          batches(alike[n], () => pen.fill("evenodd"));
        });
      } else {
        pen.fillStyle = "#6a3d8a";
        pen.globalAlpha = 0.13;
        batches(open, () => pen.fill("evenodd"));
        pen.globalAlpha = 1;
      }
      pen.strokeStyle = this._style.color;
      pen.lineWidth = Math.max(0.15, Math.min(this._style.weight, side / 8)); // of small lots, the lines must leave something between them
      batches(seen, () => pen.stroke());
      pen.fillStyle = "#4a2068";
      pen.font = "700 12px sans-serif";
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      for (const lot of open) {
        if ((box[4 * lot + 2] - box[4 * lot]) * scale < SIGN_PX || (box[4 * lot + 3] - box[4 * lot + 1]) * scale < SIGN_PX) continue;
        const point = L.CRS.EPSG3857.latLngToPoint(L.latLng(inside(this._packed, lot)), 0);
        pen.fillText("?", point.x * scale - origin.x, point.y * scale - origin.y);
      }
    },
  });

  return { inflate, decode, at, inside, outline, Canvas };
})();
