import type { ReactNode } from 'react'
import { Button } from './button.tsx'

interface StepFormProps {
  /** What the button says. */
  button: string
  /** sign-in: as wide as its card. Default form. */
  size?: 'form' | 'sign-in'
  pending: boolean
  onSubmit: () => void
  /** The fields. */
  children: ReactNode
}

/** One step of several: a field or two, and below them the one button that goes on. Its fields say themselves what is wrong. */
export function StepForm({ button, size = 'form', pending, onSubmit, children }: StepFormProps) {
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
      <Button
        type="submit"
        variant="primary"
        size={size}
        pending={pending}
        className={size === 'sign-in' ? 'w-full' : ''}
      >
        {button}
      </Button>
    </form>
  )
}
