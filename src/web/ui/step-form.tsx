import type { ReactNode } from 'react'
import { Button } from './button.tsx'

interface StepFormProps {
  /** The text of the button. */
  button: string
  /** 'sign-in' makes the button as wide as its card. Default: 'form'. */
  size?: 'form' | 'sign-in'
  pending: boolean
  onSubmit: () => void
  /** The fields. */
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
