import { type RefObject, useEffect } from 'react'

/** Marks what a search found in the elements with `data-searched` under `root`. A browser without custom highlights marks nothing. */
export function useMarkedWords(root: RefObject<HTMLElement | null>, search: string): void {
  useEffect(() => {
    if (search.trim() === '' || !('highlights' in CSS)) return
    let stop: (() => void) | null = null
    let isOver = false
    import('./mark-words.ts').then(
      ({ markWords }) => {
        if (!isOver && root.current) stop = markWords(root.current, search)
      },
      // Without its code nothing is marked.
      () => {},
    )
    return () => {
      isOver = true
      stop?.()
    }
  }, [root, search])
}
