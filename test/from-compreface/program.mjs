import { readFileSync } from 'node:fs';
import { CompreFace } from '@exadel/compreface-js-sdk';

// A program as its owner wrote it for CompreFace: who is known, with how many images, and who is in this one.
const { BASE, KEY, IMAGE } = process.env;
const { protocol, hostname, port } = new URL(BASE);
const recognition = new CompreFace(`${protocol}//${hostname}`, port, { limit: 0 }).initFaceRecognitionService(
  KEY,
);
const { subjects } = await recognition.getSubjects().list();
const { faces } = await recognition.getFaceCollection().list();
const seen = await recognition.recognize(readFileSync(IMAGE, { encoding: 'base64' }), {
  prediction_count: 1,
});
const who = seen.result.map((face) => face.subjects[0].subject);
console.log(JSON.stringify({ subjects: subjects.toSorted(), images: faces.length, who }));
