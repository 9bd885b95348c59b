import { useState } from 'react'
import { EyeIcon, EyeOffIcon } from './icons.tsx'
import { Input, type InputProps } from './input.tsx'

/** A password field with a button that shows or hides the password. */
export function PasswordInput(props: Omit<InputProps, 'type' | 'trailing'>) {
  const [isShown, setShown] = useState(false)
  return (
    <Input
      {...props}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
      trailing={
        <button
          type="button"
          aria-label="Show password"
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
          className="grid size-7 place-items-center rounded-badge hover:bg-hover hover:text-ink max-sm:size-11"
        >
          {isShown ? <EyeOffIcon /> : <EyeIcon />}
        </button>
      }
    />
  )
}
