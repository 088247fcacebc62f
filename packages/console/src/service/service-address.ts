/** Where the service is: the folder of the page, its path prefix in it. Without a slash at its end. */
export const serviceAddress = new URL('.', document.baseURI).href.replace(/\/$/, '');

/** The path prefix, empty or such as `/lynceus`. */
export const pathPrefix = new URL(serviceAddress).pathname.replace(/\/$/, '');

/** For the styles that widgets make as they go; the service gives a new one with each page. */
export const styleNonce = document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? '';
