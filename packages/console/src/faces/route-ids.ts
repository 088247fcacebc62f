import { useParams } from 'react-router';

/** The perception that the address names; 0, which none has, where it names none. */
export function useModelId(): number {
  return toId(useParams()['modelId']);
}

export function usePersonId(): number {
  return toId(useParams()['personId']);
}

function toId(text: string | undefined): number {
  return /^[1-9]\d{0,14}$/.test(text ?? '') ? Number(text) : 0;
}
