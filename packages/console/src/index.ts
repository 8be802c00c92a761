export { EventFeed, type EventFeedOptions } from './http/event-feed.ts';
export { type ConsoleHandler, type ConsoleHandlerOptions, consoleHandler } from './http/handler.ts';
export { type ListeningConsole, type ListenOptions, listenForConsole } from './http/listen.ts';
export { HttpError } from './http/respond.ts';
export { type Api, type ApiRequest, type RoutedRequest, type Routes, routed } from './http/routes.ts';
export { Sessions } from './http/sessions.ts';
export { Site } from './http/site.ts';
