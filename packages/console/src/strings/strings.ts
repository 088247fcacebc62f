import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { first } from './en/first.js';
import type { rest } from './en/rest.js';

const language = 'en';
const namespace = 'translation';

/** Another language is a folder beside `en/` with the same files, and a row here. */
export function startStrings(): void {
  i18next.use(initReactI18next).init({
    resources: { [language]: { [namespace]: first } },
    lng: language,
    fallbackLng: language,
    interpolation: { escapeValue: false },
    showSupportNotice: false,
  });
}

/** Loaded before any page other than the sign-in and the start page, which then need not wait for these texts. */
export async function loadRestOfStrings(): Promise<void> {
  const { rest } = await import('./en/rest.js');
  i18next.addResourceBundle(language, namespace, rest);
}

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { [namespace]: typeof first & typeof rest };
  }
}
