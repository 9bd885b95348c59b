import { useLayoutEffect, useRef, useState } from 'react'
import { toast } from '#web/ui/toast.ts'

/**
 * Keeps the error of a field. An error that comes after the field has left the screen, because its panel was closed or shows another record, is
 * shown as a toast.
 */
export function useFieldError(label: string): [error: string | null, setError: (error: string | null) => void] {
  const [error, setError] = useState<string | null>(null)
  const isGone = useRef(false)
  useLayoutEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])
  return [
    error,
    (newError) => {
      if (!isGone.current) setError(newError)
      else if (newError !== null) toast.error(`${label} was not saved`, { description: newError })
    },
  ]
}
