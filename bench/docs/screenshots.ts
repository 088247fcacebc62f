export async function takeScreenshots(_: { readonly only: string | undefined }): Promise<void> {}
