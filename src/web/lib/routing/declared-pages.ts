/** The addresses of the app's pages, with the type of each one's search parameters. src/web/routes.tsx adds them, so that a mistyped address does not compile. */
export interface Pages {}

/** Kept with an entry of the history, not in its address; also after a reload. src/web/routes.tsx adds the fields. */
export interface PageState {}

/** What routes load for their pages. src/web/routes.tsx adds the fields. */
export interface PageData {}

export type PagePath = Extract<keyof Pages, string>
