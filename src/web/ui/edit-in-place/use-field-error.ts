import { useContext, useLayoutEffect, useRef, useState } from 'react'
import { toast } from '#web/ui/toast.ts'
import type { ErrorAction } from './edit-row.tsx'
import { EditedContentContext } from './edited-content.ts'

/**
 * Keeps the error of a field. If the field has left the screen, because its panel was closed or shows another record, a new error is shown as
 * a toast with the name of the content, and with a button if there is an `action`. If the person has deleted the content, there is no toast,
 * because it would replace the toast with 'Undo'.
 */
export function useFieldError(
  label: string,
): [error: string | null, setError: (error: string | null, action?: ErrorAction) => void] {
  const [error, setError] = useState<string | null>(null)
  const isUnmounted = useRef(false)
  const content = useContext(EditedContentContext)
  const lastContent = useRef(content)
  useLayoutEffect(() => {
    lastContent.current = content
  }, [content])
  useLayoutEffect(() => {
    isUnmounted.current = false
    return () => {
      isUnmounted.current = true
    }
  }, [])
  return [
    error,
    (newError, action) => {
      if (!isUnmounted.current) return setError(newError)
      const { name, isDeleted } = lastContent.current
      if (newError === null || isDeleted) return
      toast.error(`${label} was not saved`, {
        description: name ? `${name}: ${newError}` : newError,
        ...(action && { action }),
      })
    },
  ]
}
