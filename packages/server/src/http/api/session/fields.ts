import { Type } from 'typebox';
import { maxNameLength } from '../../../accounts/names.js';
import { maxPasswordLength } from '../../../accounts/users/passwords/check-password.js';

/** Fields that operations on people share. A description completes the sentence "NAME must be …". */

export const Email = Type.String({
  minLength: 3,
  maxLength: 254,
  description: 'a mail address such as ada@example.com',
  examples: ['ada@example.com'],
});
export const PersonName = Type.String({
  minLength: 1,
  maxLength: maxNameLength,
  description: `a text of 1 to ${maxNameLength} characters`,
});
export const Password = Type.String({
  minLength: 1,
  maxLength: maxPasswordLength,
  description: `a text of at most ${maxPasswordLength} characters`,
});
export const Code = Type.String({
  minLength: 6,
  maxLength: 40,
  description: 'the six digits that the authenticator shows, or a recovery code',
});
export const UserSearch = Type.String({
  minLength: 1,
  maxLength: 200,
  // A NUL ends a text in one of the databases.
  pattern: '^[^\\u0000-\\u001f]*$',
  description: 'a part of a name or mail address, 1 to 200 characters, large or small',
});
export const Role = Type.Enum(['owner', 'member', 'reader'], {
  title: 'Role',
  description: 'owner, member or reader',
});
export const LinkToken = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'what stands behind the # of the link',
});
