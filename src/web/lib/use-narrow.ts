import { useSyncExternalStore } from 'react'

const query = '(max-width: 639.98px)'

/** Whether the window is as narrow as a phone: where another layout is wanted, not only other measures. */
export function useNarrow(): boolean {
  return useSyncExternalStore(listen, () => matchMedia(query).matches)
}

function listen(changed: () => void): () => void {
  const media = matchMedia(query)
  media.addEventListener('change', changed)
  return () => media.removeEventListener('change', changed)
}
