/** In fractions of the image, from 0 to 1; x to the right, y down. */
export type Corner = readonly [x: number, y: number];
export type Polygon = readonly Corner[];

/** As many as the service takes. */
export const minCorners = 3;
export const maxCorners = 64;

/** Corners are kept to a ten-thousandth of the image: less than a pixel of any camera. */
const steps = 10_000;
/** Less than a pixel of any image. */
const minArea = 1e-7;

/** The nearest corner within the image. */
export function withinImage([x, y]: Corner): Corner {
  return [withinSide(x), withinSide(y)];
}

function withinSide(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * steps) / steps;
}

export function moveCorner(polygon: Polygon, index: number, to: Corner): Polygon {
  return polygon.map((corner, at) => (at === index ? withinImage(to) : corner));
}

/** Moves it as a whole; it keeps its shape, and stays within the image. */
export function movePolygon(polygon: Polygon, [dx, dy]: Corner): Polygon {
  const [left, top, right, bottom] = boundsOf(polygon);
  const by = [Math.min(Math.max(dx, -left), 1 - right), Math.min(Math.max(dy, -top), 1 - bottom)] as const;
  return polygon.map(([x, y]) => withinImage([x + by[0], y + by[1]]));
}

/** The middle of the edge from a corner to the next. */
export function middleOfEdge(polygon: Polygon, index: number): Corner {
  const [ax, ay] = cornerAt(polygon, index);
  const [bx, by] = cornerAt(polygon, index + 1);
  return withinImage([(ax + bx) / 2, (ay + by) / 2]);
}

/** Adds a corner after another, in the middle of the edge unless it is given. The same polygon when it has as many as it may. */
export function insertCorner(
  polygon: Polygon,
  after: number,
  corner = middleOfEdge(polygon, after),
): Polygon {
  if (polygon.length >= maxCorners) return polygon;
  return [...polygon.slice(0, after + 1), withinImage(corner), ...polygon.slice(after + 1)];
}

/** The same polygon when it would have fewer than three corners. */
export function removeCorner(polygon: Polygon, index: number): Polygon {
  return polygon.length <= minCorners ? polygon : polygon.filter((_, at) => at !== index);
}

/** A square in the middle of the image, somewhat lower for each shape that is there: a start for the keyboard. */
export function startPolygon(count: number): Polygon {
  const by = (count % 6) * 0.04;
  const [low, high] = [0.28 + by, 0.52 + by];
  return [
    [low, low],
    [high, low],
    [high, high],
    [low, high],
  ].map(([x = 0, y = 0]) => withinImage([x, y]));
}

/** Whether it encloses an area and no edges cross or touch: the service refuses others. A corner may be repeated. */
export function isSimple(given: Polygon): boolean {
  const polygon = given.filter(([x, y], at) => {
    const [nextX, nextY] = cornerAt(given, at + 1);
    return x !== nextX || y !== nextY;
  });
  if (Math.abs(areaOf(polygon)) < minArea) return false;
  return polygon.every((a, at) =>
    polygon.every((c, other) => {
      const isNeighbour = other === at + 1 || (at === 0 && other === polygon.length - 1);
      const [b, d] = [cornerAt(polygon, at + 1), cornerAt(polygon, other + 1)];
      return other <= at || isNeighbour || !meet(a, b, c, d);
    }),
  );
}

/** By the shoelace formula; negative in the other direction. */
export function areaOf(polygon: Polygon): number {
  const twice = polygon.reduce((sum, [ax, ay], at) => {
    const [bx, by] = cornerAt(polygon, at + 1);
    return sum + ax * by - bx * ay;
  }, 0);
  return twice / 2;
}

/** By how often a ray to the right crosses its edges. */
export function contains(polygon: Polygon, [x, y]: Corner): boolean {
  return polygon.reduce((isInside, [ax, ay], at) => {
    const [bx, by] = cornerAt(polygon, at + 1);
    const isCrossed = ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax;
    return isCrossed ? !isInside : isInside;
  }, false);
}

/** Of its corners: where its name is written. */
export function boundsOf(
  polygon: Polygon,
): readonly [left: number, top: number, right: number, bottom: number] {
  const [xs, ys] = [polygon.map(([x]) => x), polygon.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Counted around: the one after the last is the first. */
function cornerAt(polygon: Polygon, index: number): Corner {
  return polygon[index % polygon.length] ?? [0, 0];
}

/** Whether the distances a–b and c–d have a point in common. */
function meet(a: Corner, b: Corner, c: Corner, d: Corner): boolean {
  const [sideC, sideD, sideA, sideB] = [sideOf(a, b, c), sideOf(a, b, d), sideOf(c, d, a), sideOf(c, d, b)];
  if (sideC !== sideD && sideA !== sideB) return true;
  return (
    (sideC === 0 && isBetween(a, b, c)) ||
    (sideD === 0 && isBetween(a, b, d)) ||
    (sideA === 0 && isBetween(c, d, a)) ||
    (sideB === 0 && isBetween(c, d, b))
  );
}

function sideOf([ax, ay]: Corner, [bx, by]: Corner, [x, y]: Corner): number {
  return Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax));
}

/** Of a point of the line through a and b. */
function isBetween([ax, ay]: Corner, [bx, by]: Corner, [x, y]: Corner): boolean {
  return x >= Math.min(ax, bx) && x <= Math.max(ax, bx) && y >= Math.min(ay, by) && y <= Math.max(ay, by);
}
