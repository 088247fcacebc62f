import { createLynceusClient, type LynceusClient } from '@lynceus/client';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '#bench/service.js';
import { drawFaces } from '#engine/tasks/faces/fixtures/drawn-face.js';
import { haveChromium } from '../support/chromium.js';
import { haveDefaultModels } from '../support/default-models.js';
import { type OpenConsole, openConsole } from './open-console.js';

const hostile = '<img src=x onerror="document.title=1">';
const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer });

/** A drawn face with a tint and a tilt. */
async function drawSubject(at: number): Promise<Buffer> {
  const drawn = await drawFaces(280, 280, [{ x: 140, y: 140, unit: 5, tiltDeg: 12 * (at - 1) }]);
  return sharp(drawn)
    .modulate({ hue: 60 * at, saturation: 1 - at / 4 })
    .png()
    .toBuffer();
}

/** A script for the page: its camera shows this image. */
const standBeforeCamera = (image: Buffer) => `
  navigator.mediaDevices.getUserMedia = async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${image.toString('base64')}';
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    setInterval(() => canvas.getContext('2d').drawImage(image, 0, 0), 50);
    return canvas.captureStream(20);
  };`;

describe.skipIf(!haveChromium() || !(await haveDefaultModels()))('known faces on the web account', () => {
  let service: Service;
  let client: LynceusClient;
  let console: OpenConsole;
  let faces: readonly [Buffer, Buffer];
  beforeAll(async () => {
    service = await startService();
    client = createLynceusClient({ baseUrl: service.url, apiKey: service.key });
    console = await openConsole(service);
    faces = [await drawSubject(0), await drawSubject(2)];
  });
  afterAll(async () => {
    await console?.close();
    await service?.stop();
  });

  const openPage = async (...args: Parameters<OpenConsole['open']>) => (await console.open(...args)).page;

  test('an image that browsers cannot show has a preview, with boxes in place', async () => {
    const page = await openPage('/');
    // Rotated by its orientation tag, and in a format that browsers do not know.
    const upright = sharp(await drawFaces(360, 240, [{ x: 100, y: 120, unit: 4, tiltDeg: 0 }]));
    const turned = await sharp(await upright.rotate(270).toBuffer())
      .withMetadata({ orientation: 6 })
      .tiff()
      .toBuffer();
    await page.locator('input[type=file]').setInputFiles([file('side.tif', turned)]);
    const image = page.getByRole('img', { name: 'side.tif' });
    await expect.poll(() => image.evaluate((img) => Reflect.get(img, 'naturalWidth'))).toBe(360);
    const shape = page.locator('svg[viewBox="0 0 360 240"] polygon').first();
    await shape.waitFor({ state: 'attached' });
    const [drawn, whole] = [await shape.boundingBox(), await image.boundingBox()];
    const middle = (drawn?.x ?? 0) + (drawn?.width ?? 0) / 2 - (whole?.x ?? 0);
    expect(middle / (whole?.width ?? 1)).toBeCloseTo(100 / 360, 1);
  });

  test('an unknown face is enrolled from the search, and "this is not X" adds a correction', async () => {
    const { model_id: modelId } = await client.perceptions.create({ name: 'Door' });
    const ada = await client.people.create(modelId, { name: 'Ada' });
    await client.faceImages.add(faces[0], { personId: ada.id });
    const page = await openPage(`/faces/${modelId}/search`);
    await page.locator('input[type=file]').setInputFiles([file('ada.png', faces[0])]);
    await page.getByText('This is Ada.').waitFor();
    await page.getByRole('button', { name: 'Actions on Ada' }).click();
    await page.getByRole('menuitem', { name: 'This is not Ada' }).click();
    await page.getByText('Ada is no longer proposed for that face').waitFor();
    await expect.poll(async () => (await client.corrections.page(ada.id)).data.length).toBe(1);

    await page.locator('input[type=file]').setInputFiles([file('zoe.png', faces[1])]);
    await page.getByRole('button', { name: 'Add as a new person' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Zoë');
    await page.getByRole('dialog').getByRole('button', { name: 'Add a person' }).click();
    await page.getByText('Zoë was added').waitFor();
    await page.getByRole('link', { name: 'Zoë' }).waitFor();
    await page.context().close();
  });

  test('each image shows the result of the enrolment checks, and a file that is not an image says so', async () => {
    const { model_id: modelId } = await client.perceptions.create({ name: 'Advice' });
    const person = await client.people.create(modelId, { name: hostile });
    const page = await openPage(`/faces/${modelId}/people/${person.id}`);
    await page.getByRole('heading', { level: 1, name: hostile }).waitFor();
    const blank = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#888' } })
      .png()
      .toBuffer();
    await page
      .locator('input[type=file]')
      .setInputFiles([
        file('good.png', faces[0]),
        file('again.png', faces[0]),
        file('blank.png', blank),
        file('text.png', Buffer.from('no image')),
      ]);
    await page.getByText('2 of 4 images added').waitFor();
    await page.getByText('this very image was added before').waitFor();
    await page.getByText('No face was found in this image').waitFor();
    await page.getByText('The file is not an image of a supported kind').waitFor();
    await page.context().close();
  });

  test('images are moved to a new person, people merged, and deleted with a receipt', async () => {
    const { model_id: modelId } = await client.perceptions.create({ name: 'Mixed' });
    const mixed = await client.people.create(modelId, { name: 'Mixed up' });
    for (const face of faces) await client.faceImages.add(face, { personId: mixed.id });
    const page = await openPage(`/faces/${modelId}/people/${mixed.id}`);
    await page.getByRole('listitem').getByRole('checkbox').first().check();
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('A new person').click();
    await dialog.getByLabel('Name').fill('Split off');
    await dialog.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByText('1 image was moved to Split off').waitFor();
    expect((await client.people.read(mixed.id)).images).toBe(1);

    await page.getByRole('button', { name: 'Merge', exact: true }).click();
    await dialog.getByRole('combobox', { name: 'Merge into' }).fill('Split');
    await page.getByRole('option', { name: 'Split off' }).click();
    await page.getByText('Split off will have 2 images.').waitFor();
    await dialog.getByRole('button', { name: 'Merge them' }).click();
    await page.getByRole('heading', { level: 1, name: 'Split off' }).waitFor();
    await expect(client.people.read(mixed.id)).rejects.toMatchObject({ code: 'not_found' });

    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: '“Split off” is deleted' }).waitFor();
    expect(await dialog.getByRole('row', { name: /^Images/ }).textContent()).toContain('2');
    expect((await client.people.page(modelId)).data).toEqual([]);
    await page.context().close();
  });

  test('a person in front of the camera is found', async () => {
    const { model_id: modelId } = await client.perceptions.create({ name: 'Camera' });
    const ada = await client.people.create(modelId, { name: 'Ada' });
    await client.faceImages.add(faces[0], { personId: ada.id });
    const page = await openPage('/faces');
    await page.addInitScript(standBeforeCamera(faces[0]));
    await page.goto(`${service.url}/faces/${modelId}/search`);
    await page.getByRole('button', { name: 'Camera' }).click();
    await page.getByRole('button', { name: 'Take a photo' }).click();
    await page.getByText('This is Ada.').waitFor();
    await page.context().close();
  });

  test('an export is imported as another perception', async () => {
    const { model_id: modelId } = await client.perceptions.create({ name: 'To carry' });
    const ada = await client.people.create(modelId, { name: 'Ada' });
    await client.faceImages.add(faces[0], { personId: ada.id });
    const page = await openPage(`/faces/${modelId}/settings`);
    // The link needs a session; the test downloads it with a key.
    const link = page.getByRole('link', { name: 'Download the archive' });
    expect(await link.getAttribute('download')).not.toBeNull();
    const address = (await link.getAttribute('href')) ?? '';
    const archive = await fetch(address, { headers: { 'x-api-key': service.key } });
    const buffer = Buffer.from(await archive.arrayBuffer());
    await page.getByRole('navigation').getByRole('link', { name: 'Faces', exact: true }).first().click();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click(),
    ]);
    await chooser.setFiles([{ name: 'crew.tar', mimeType: 'application/x-tar', buffer }]);
    await page.getByRole('button', { name: 'Start the import' }).click();
    // The window says that the perception appears when the import is complete.
    await page.getByRole('dialog').getByRole('link', { name: 'Open the perception' }).waitFor();
    const all = await client.perceptions.page();
    expect(all.data.filter(({ name }) => name === 'To carry')).toHaveLength(2);
    await page.context().close();
  });
});

describe.skipIf(!haveChromium())('a perception with four pages of people', () => {
  let service: Service;
  let console: OpenConsole;
  beforeAll(async () => {
    service = await startService();
    console = await openConsole(service);
  });
  afterAll(async () => {
    await console?.close();
    await service?.stop();
  });

  test('all are reached by scrolling and by search, and only a few are in the page', async () => {
    const client = createLynceusClient({ baseUrl: service.url, apiKey: service.key });
    const { model_id: modelId } = await client.perceptions.create({ name: 'Many' });
    for (let at = 0; at < 400; at += 1) await client.people.create(modelId, { name: `Person ${at}` });
    const { page } = await console.open(`/faces/${modelId}`);
    const last = page.getByRole('link', { name: 'Person 0 ' });
    await page.getByRole('link', { name: 'Person 399' }).waitFor();
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 4000);
        return last.isVisible();
      })
      .toBe(true);
    expect(await page.getByRole('listitem').count()).toBeLessThan(150);
    await page.getByRole('searchbox').fill('son 123');
    await page.getByRole('link', { name: 'Person 123' }).waitFor();
    await expect.poll(() => page.getByRole('listitem').count()).toBe(1);
    await page.context().close();
  });
});
