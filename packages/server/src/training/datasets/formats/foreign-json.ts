/** JSON of other programs, by what the start of a file has, and what its owner may do. */
const foreign: readonly (readonly [RegExp, string])[] = [
  [
    /"(rectanglelabels|polygonlabels|from_name|annotation_id|completed_by)"|"image"\s*:\s*"\/data\/(upload|local)/,
    'Label Studio: export as COCO or YOLO there',
  ],
  [/"imagePath"|"imageData"|"shape_type"/, 'LabelMe: convert it to COCO or Pascal VOC, as labelme2coco does'],
  [/"assets"\s*:|"visitedAssetIds"|"exportFormat"/, 'VoTT: export as CSV or Pascal VOC there'],
  [/"classTitle"|"geometryType"|"classId"/, 'Supervisely: export as COCO there'],
  [/"items"\s*:|"label_id"/, 'Datumaro: export as COCO there'],
];

/** What the JSON of another program is and what to do, such as `Label Studio: export as COCO there`; null for any other. */
export function describeForeignJson(start: string): string | null {
  return foreign.find(([pattern]) => pattern.test(start))?.[1] ?? null;
}
