import { type ComponentPropsWithRef, type MouseEvent, useSyncExternalStore } from 'react'
import type { PagePath } from '#web/lib/routing/declared-pages.ts'
import { addressOf, type OpenOptions, type Target } from '#web/lib/routing/target.ts'
import { useRouter } from '#web/lib/routing/use-router.ts'

type Anchor = Omit<ComponentPropsWithRef<'a'>, 'href' | 'onFocus' | 'onMouseEnter' | 'onTouchStart'>

type LinkProps<Path extends PagePath> = Anchor &
  Target<Path> &
  OpenOptions & {
    /** Another page on which the link counts as current, too. */
    also?: PagePath | undefined
  }

/**
 * A link to a page of the app. `aria-current` is set while the page, the page `also`, or a page that is shown inside one of them is requested. The
 * code and the data of the page are loaded as soon as the link has the focus, is under the pointer or is touched.
 */
export function Link<const Path extends PagePath>(props: LinkProps<Path>) {
  const { to, search, hash, state, replace, also, onClick, ...rest } = props
  const router = useRouter()
  const address = addressOf({ to, search, hash })
  const isCurrent = useSyncExternalStore(
    router.subscribe,
    () => router.isRequested({ to, search }) || (also !== undefined && router.isRequested({ to: also })),
  )
  const preload = () => router.preload(address)
  return (
    <a
      aria-current={isCurrent ? 'page' : undefined}
      {...rest}
      href={address}
      onFocus={preload}
      onMouseEnter={preload}
      onTouchStart={preload}
      onClick={(event) => {
        onClick?.(event)
        if (event.defaultPrevented || opensElsewhere(event)) return
        event.preventDefault()
        void router.open(address, { replace, state })
      }}
    />
  )
}

/** True if the browser handles a click itself: it opens the link in another tab or window, or opens a menu. */
export function opensElsewhere({
  button,
  ctrlKey,
  metaKey,
  shiftKey,
  altKey,
  currentTarget,
}: MouseEvent<HTMLAnchorElement>): boolean {
  return button !== 0 || ctrlKey || metaKey || shiftKey || altKey || !['', '_self'].includes(currentTarget.target)
}
