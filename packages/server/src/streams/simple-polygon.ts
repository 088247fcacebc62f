type Corner = readonly [x: number, y: number];

/** Smallest area in fractions of the image: less than a pixel of any frame. */
const minArea = 1e-7;

/** Whether corners enclose an area, and no edge crosses or touches another that is not its neighbour. A corner may be repeated. */
export function isSimplePolygon(polygon: readonly Corner[]): boolean {
  const corners = polygon.filter((corner, at) => {
    const [x, y] = polygon[(at + 1) % polygon.length] ?? corner;
    return corner[0] !== x || corner[1] !== y;
  });
  const edges = corners.map((corner, at): readonly [Corner, Corner] => [
    corner,
    corners[(at + 1) % corners.length] ?? corner,
  ]);
  if (Math.abs(areaOf(edges)) < minArea) return false;
  return edges.every(([a, b], at) =>
    edges.every(([c, d], other) => {
      const isNeighbour = other === at + 1 || (at === 0 && other === edges.length - 1);
      return other <= at || isNeighbour || !meet(a, b, c, d);
    }),
  );
}

/** By the shoelace formula; negative in the other direction. */
function areaOf(edges: readonly (readonly [Corner, Corner])[]): number {
  return edges.reduce((sum, [[ax, ay], [bx, by]]) => sum + ax * by - bx * ay, 0) / 2;
}

/** Whether the distances a–b and c–d have a point in common. */
function meet(a: Corner, b: Corner, c: Corner, d: Corner): boolean {
  const [sideC, sideD] = [sideOf(a, b, c), sideOf(a, b, d)];
  const [sideA, sideB] = [sideOf(c, d, a), sideOf(c, d, b)];
  if (sideC !== sideD && sideA !== sideB) return true;
  return (
    (sideC === 0 && isWithin(a, b, c)) ||
    (sideD === 0 && isWithin(a, b, d)) ||
    (sideA === 0 && isWithin(c, d, a)) ||
    (sideB === 0 && isWithin(c, d, b))
  );
}

function sideOf([ax, ay]: Corner, [bx, by]: Corner, [x, y]: Corner): number {
  return Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax));
}

/** Whether a point of the line through a and b lies between them. */
function isWithin([ax, ay]: Corner, [bx, by]: Corner, [x, y]: Corner): boolean {
  return x >= Math.min(ax, bx) && x <= Math.max(ax, bx) && y >= Math.min(ay, by) && y <= Math.max(ay, by);
}
