import { type RefObject, useEffect } from 'react'

/** Marks the searched words in the elements with `data-searched` under `root`. Does nothing in browsers without custom highlights. */
export function useMarkedWords(root: RefObject<HTMLElement | null>, search: string): void {
  useEffect(() => {
    if (search.trim() === '' || !('highlights' in CSS)) return
    let stop: (() => void) | null = null
    let isOver = false
    import('./mark-words.ts').then(
      ({ markWords }) => {
        if (!isOver && root.current) stop = markWords(root.current, search)
      },
      // If the code cannot be loaded, nothing is marked.
      () => {},
    )
    return () => {
      isOver = true
      stop?.()
    }
  }, [root, search])
}
