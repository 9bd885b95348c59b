/**
 * The paths of the app's pages, each with the type of the page's search parameters. src/web/routes.tsx adds them. So a mistyped path does
 * not compile.
 */
export interface Pages {}

/**
 * The values that are stored with an entry of the browser's history. They are not in the URL and survive a reload. src/web/routes.tsx adds
 * the fields.
 */
export interface PageState {}

/** The data that is loaded for a page before it is shown. src/web/routes.tsx adds the fields. */
export interface PageData {}

export type PagePath = Extract<keyof Pages, string>
