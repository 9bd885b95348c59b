import type { ReactNode } from 'react'
import { Button } from './button.tsx'

interface StepFormProps {
  /** The text of the button that continues. */
  button: string
  /** How large the button is. 'sign-in' makes it as wide as its card. By default, it is 'form'. */
  size?: 'form' | 'sign-in'
  pending: boolean
  onSubmit: () => void
  /** The fields of the step. */
  children: ReactNode
}

/** One step of several: one or two fields, and the button that continues. The fields show their own errors. */
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
