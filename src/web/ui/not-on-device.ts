/** Shown in place of a page or a dialog whose code could not be loaded: the network went away before the service worker had stored the app. */
export const notOnDevice = {
  title: 'Not on this device yet',
  description: 'Open it when online.',
}
