import { useCallback, useSyncExternalStore } from 'react'

const phoneQuery = '(width < 40rem)'

/**
 * Whether the window matches `query` (a media query). By default, whether it is as narrow as a phone. A component renders again when the result
 * changes, so it can show another layout.
 */
export function useNarrow(query: string = phoneQuery): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', changed)
      return () => media.removeEventListener('change', changed)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}
