import { openAsBlob, readFileSync } from 'node:fs';
import axios from 'axios';

// Programs written with axios do this. A line a form: its name, a tab, what the program read.
const { BASE, KEY, IMAGE, IMAGE_URL, PNG, WEBP } = process.env;
const report = (name, value) => console.log(`${name}\t${JSON.stringify(value)}`);

const detect = (body) =>
  axios({
    method: 'PUT',
    url: `${BASE}/predict?api_key=${KEY}`,
    headers: { 'Content-Type': 'application/json' },
    data: JSON.stringify({ model_id: 'coco-fast', conf_thresh: 0.4, nms_thresh: 0.45, ...body }),
  });
const asBase64 = (path) => readFileSync(path, { encoding: 'base64' });

for (const [name, path] of Object.entries({ JPEG: IMAGE, PNG, WebP: WEBP })) {
  const { data } = await detect({ base64str: asBase64(path) });
  report(`PUT ${name} as it is`, data);
}
report('PUT image_file_url', (await detect({ image_file_url: IMAGE_URL })).data);

const form = new FormData();
form.append('image', await openAsBlob(IMAGE), 'image.jpg');
report('POST FormData', (await axios.post(`${BASE}/predict/image`, form, { params: { apikey: KEY } })).data);

const address = { params: { url: IMAGE_URL, apikey: KEY } };
report('POST url', (await axios.post(`${BASE}/predict/image`, null, address)).data);
report('POST url, empty JSON', (await axios.post(`${BASE}/predict/image`, {}, address)).data);
report('GET url', (await axios.get(`${BASE}/predict/image`, address)).data);

const refused = await detect({ base64str: 'not an image!' }).catch((error) => error.response);
report('a refusal', { http: refused.status, ...refused.data });
