import type { ApiDeps } from '../../http/api/scope.js';
import type { ChooseModel } from '../../recognition/choose-model.js';
import type { DropStore } from '../drop-store.js';

export interface DropDeps extends ApiDeps {
  readonly dropStore: Omit<DropStore, 'logIn' | 'work'>;
  readonly chooseModel: ChooseModel;
}
