import { lazy, Suspense, useState } from 'react';
import { UserTarget } from './user-target.js';

const loadMenu = () => import('./user-menu.js');
const UserMenu = lazy(async () => ({ default: (await loadMenu()).UserMenu }));

/** Who is signed in. The menu behind it is fetched when a pointer or the keyboard comes near: most visits open none. */
export function UserButton() {
  const [isWanted, setIsWanted] = useState(false);
  const target = (
    <UserTarget
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={loadMenu}
      onFocus={loadMenu}
      onClick={() => setIsWanted(true)}
    />
  );
  if (!isWanted) return target;
  return (
    <Suspense fallback={target}>
      <UserMenu />
    </Suspense>
  );
}
