import { useRef } from 'react'

/** Makes an action that is not begun again while it runs: a second click may come before the button has learnt that it is busy. */
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
