import type { TProperties } from 'typebox';
import { type Snake, toSnake } from '../../core/snake-names.js';

/** The fields of a schema by their names on the wire. */
export function snakeFields<Fields extends TProperties>(fields: Fields): Snake<Fields> {
  return toSnake(fields);
}
