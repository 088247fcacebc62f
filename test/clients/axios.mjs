import { openAsBlob, readFileSync } from 'node:fs';
import axios from 'axios';

// Programs written with axios do this. A line a form: its name, a tab, what the program read.
const { BASE, KEY, PICTURE, PICTURE_URL, PNG, WEBP } = process.env;
const told = (name, value) => console.log(`${name}\t${JSON.stringify(value)}`);

const detect = (body) =>
  axios({
    method: 'PUT',
    url: `${BASE}/predict?api_key=${KEY}`,
    headers: { 'Content-Type': 'application/json' },
    data: JSON.stringify({ model_id: 'coco-fast', conf_thresh: 0.4, nms_thresh: 0.45, ...body }),
  });
const asBase64 = (path) => readFileSync(path, { encoding: 'base64' });

for (const [name, path] of Object.entries({ JPEG: PICTURE, PNG, WebP: WEBP })) {
  const { data } = await detect({ base64str: asBase64(path) });
  told(`PUT ${name} as it is`, data);
}
told('PUT image_file_url', (await detect({ image_file_url: PICTURE_URL })).data);

const form = new FormData();
form.append('image', await openAsBlob(PICTURE), 'picture.jpg');
told('POST FormData', (await axios.post(`${BASE}/predict/image`, form, { params: { apikey: KEY } })).data);

const address = { params: { url: PICTURE_URL, apikey: KEY } };
told('POST url', (await axios.post(`${BASE}/predict/image`, null, address)).data);
told('POST url, empty JSON', (await axios.post(`${BASE}/predict/image`, {}, address)).data);
told('GET url', (await axios.get(`${BASE}/predict/image`, address)).data);

const refused = await detect({ base64str: 'not a picture!' }).catch((error) => error.response);
told('a refusal', { http: refused.status, ...refused.data });
