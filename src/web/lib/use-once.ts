import { useRef } from 'react'

/** Wraps an action so that it cannot start again while it runs: a second click may come before the button shows that it is busy. */
export function useOnce(action: () => Promise<unknown>): () => void {
  const running = useRef(false)
  return () => {
    if (running.current) return
    running.current = true
    void action().finally(() => {
      running.current = false
    })
  }
}
