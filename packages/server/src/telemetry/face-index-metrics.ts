import { Gauge, Histogram, type Registry } from 'prom-client';

/** What the gauges about the face index are read from, at each scrape. */
export interface FaceIndexFigures {
  readonly galleries: number;
  readonly faces: number;
  readonly bytes: number;
}

export interface FaceIndexMetrics {
  observeSearch(durationMs: number): void;
  observeLoad(faces: number, durationMs: number): void;
  watch(read: () => FaceIndexFigures): void;
}

export function createFaceIndexMetrics(registers: Registry[]): FaceIndexMetrics {
  const searches = new Histogram({
    name: 'lynceus_face_index_search_seconds',
    help: 'Time of one search of the face index, waiting for a gallery to be read included.',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const loads = new Histogram({
    name: 'lynceus_face_index_load_seconds',
    help: 'Time of reading one gallery from the database as a whole.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
  const loaded = new Histogram({
    name: 'lynceus_face_index_load_faces',
    help: 'Faces of one gallery that was read from the database as a whole.',
    buckets: [10, 100, 1000, 10_000, 100_000, 1_000_000],
    registers,
  });
  return {
    observeSearch: (durationMs) => searches.observe(durationMs / 1000),
    observeLoad(faces, durationMs) {
      loads.observe(durationMs / 1000);
      loaded.observe(faces);
    },
    watch(read) {
      const gauge = (what: keyof FaceIndexFigures, help: string) =>
        new Gauge({
          name: `lynceus_face_index_${what}`,
          help,
          registers,
          collect() {
            this.set(read()[what]);
          },
        });
      gauge('galleries', 'Galleries in the memory of the face index: perceptions, by embedder.');
      gauge('faces', 'Faces in the memory of the face index.');
      gauge('bytes', 'Bytes of vectors in the memory of the face index.');
    },
  };
}
