import type { Role } from '@lynceus/client';
import { Select, type SelectProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

export const roles: readonly Role[] = ['owner', 'member', 'reader'];

/** A choice of a role, with what each role may do. */
export function RoleChoice({
  value,
  onChange,
  ...rest
}: Omit<SelectProps, 'value' | 'onChange' | 'data'> & { value: Role; onChange: (role: Role) => void }) {
  const { t } = useTranslation();
  return (
    <Select
      allowDeselect={false}
      data={roles.map((role) => ({ value: role, label: t(`account.role.${role}`) }))}
      renderOption={({ option }) => {
        const role = roles.find((each) => each === option.value) ?? 'reader';
        return (
          <span>
            <strong>{option.label}</strong>: {t(`account.roleHint.${role}`)}
          </span>
        );
      }}
      value={value}
      onChange={(chosen) => onChange(roles.find((role) => role === chosen) ?? value)}
      comboboxProps={{ width: 300, position: 'bottom-start' }}
      {...rest}
    />
  );
}
