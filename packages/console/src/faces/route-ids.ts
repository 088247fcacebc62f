import { useParams } from 'react-router';

/** The id of the perception in the address; 0 if there is none. */
export function useModelId(): number {
  return toId(useParams()['modelId']);
}

export function usePersonId(): number {
  return toId(useParams()['personId']);
}

function toId(text: string | undefined): number {
  return /^[1-9]\d{0,14}$/.test(text ?? '') ? Number(text) : 0;
}
