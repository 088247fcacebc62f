import type { Component } from '../core/lifecycle.js';

/** Components of one module as one: started in order, stopped in reverse. */
export function joinComponents(name: string, components: readonly Component[]): Component {
  return {
    name,
    async start() {
      for (const component of components) await component.start();
    },
    isReady() {
      const states = components.map((component) => component.isReady());
      return (
        states.find((state) => typeof state === 'string') ?? states.find((state) => state !== true) ?? true
      );
    },
    notices: () => components.flatMap((component) => component.notices?.() ?? []),
    async drain(signal) {
      await Promise.all(components.map((component) => component.drain?.(signal)));
    },
    async stop() {
      for (const component of [...components].reverse()) await component.stop();
    },
  };
}
