import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { english } from './english.js';

/** Another language is a folder beside `en/` with the same files, and a row here. */
export function startStrings(): void {
  i18next.use(initReactI18next).init({
    resources: { en: { translation: english } },
    lng: 'en',
    fallbackLng: 'en',
    interpolation: { escapeValue: false },
    showSupportNotice: false,
  });
}

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof english };
  }
}
