import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { CompreFace } from '@exadel/compreface-js-sdk';

// A program written with the SDK of CompreFace, as npm has it. A line a call: its name, a tab, what the program read.
const { BASE, KEY, ADA, GRACE, BOTH, NOBODY, ADA_URL } = process.env;
const { protocol, hostname, port } = new URL(BASE);
// The SDK takes a path for one when it begins with a dot.
const path = (file) => {
  const found = relative(process.cwd(), file);
  return found.startsWith('.') ? found : `./${found}`;
};
const asBase64 = (file) => readFileSync(file, { encoding: 'base64' });
const refused = ({ response, message }) => ({
  ...(!response && { failed: message }),
  status: response?.status,
  message: response?.data.message,
  code: response?.data.code,
});
const report = async (name, call) =>
  console.log(`${name}\t${JSON.stringify(await call.catch((error) => ({ refused: refused(error) })))}`);

const open = (options) => new CompreFace(`${protocol}//${hostname}`, port, options);
const recognition = open({}).initFaceRecognitionService(KEY);
// Both keep the address of the call before: a program asks for new ones, and escapes names that are not ASCII itself.
const faces = () => recognition.getFaceCollection();
const subjects = () => recognition.getSubjects();

await report('subjects.list, empty', subjects().list());
await report('subjects.add', subjects().add('Ada'));
await report('subjects.add again', subjects().add('Ada'));
const first = await faces().add(path(ADA), 'Ada', { det_prob_threshold: '0.5' });
await report('add by path, ?subject=…?det_prob_threshold=…', Promise.resolve(first));
await report('add by base64', faces().add(asBase64(GRACE), 'Grace Hopper', {}));
await report('add by address', faces().add(ADA_URL, encodeURIComponent('Zoë'), {}));
await report('add of several faces', faces().add(path(BOTH), 'Ada', {}));
await report('add of no face', faces().add(path(NOBODY), 'Ada', {}));
await report('list', faces().list());
await report('recognize by path', recognition.recognize(path(ADA), {}));
await report('recognize by base64', recognition.recognize(asBase64(ADA), { limit: 0 }));
await report('recognize by address', recognition.recognize(ADA_URL, { limit: 1 }));
await report(
  'recognize with every option',
  recognition.recognize(path(BOTH), {
    limit: 1,
    det_prob_threshold: 0.5,
    prediction_count: 3,
    face_plugins: 'age,gender,mask,calculator,landmarks,pose',
    status: true,
  }),
);
await report('recognize of no face', recognition.recognize(path(NOBODY), {}));
await report('verify with a stored image', faces().verify(path(ADA), first.image_id, { limit: 1 }));
await report('rename', subjects().rename('Grace Hopper', 'Grace'));
await report('rename into another', subjects().rename(encodeURIComponent('Zoë'), 'Ada'));
await report('rename of nobody', subjects().rename('Nobody', 'Ada'));
await report('subjects.list', subjects().list());
await report('delete', faces().delete(first.image_id));
await report('delete again', faces().delete(first.image_id));
const { image_id: second } = await faces().add(path(ADA), 'Mary', {});
await report('delete_multiple_images', faces().delete_multiple_images([second]));
await report('delete_all_subject', faces().delete_all_subject('Grace'));
await report('subjects.delete', subjects().delete('Mary'));
await report('delete_all', faces().delete_all());
await report('subjects.deleteAll', subjects().deleteAll());
await report('list, empty', faces().list());

const detection = open({ limit: 0, face_plugins: 'landmarks' }).initFaceDetectionService(KEY);
await report('detect by path', detection.detect(path(BOTH), {}));
await report('detect by base64', detection.detect(asBase64(ADA), { limit: 1, status: true }));
const verification = open({}).initFaceVerificationService(KEY);
await report('verify two paths', verification.verify(path(ADA), path(ADA), { limit: 1 }));
await report('verify two base64', verification.verify(asBase64(ADA), asBase64(BOTH), {}));
await report('verify two addresses', verification.verify(ADA_URL, ADA_URL, { status: true }));
await report('a wrong key', open({}).initFaceDetectionService('wrong').detect(path(ADA), {}));
