import { useState } from 'react'
import { EyeIcon, EyeOffIcon } from './icons.tsx'
import { Input, type InputProps } from './input.tsx'

/** A password field with a button that shows the password. */
export function PasswordInput(props: Omit<InputProps, 'type' | 'trailing'>) {
  const [shown, setShown] = useState(false)
  return (
    <Input
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
      trailing={
        <button
          type="button"
          aria-label="Show password"
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
          className="grid size-7 place-items-center rounded-badge hover:bg-hover hover:text-ink max-sm:size-11"
        >
          {shown ? <EyeOffIcon /> : <EyeIcon />}
        </button>
      }
    />
  )
}
