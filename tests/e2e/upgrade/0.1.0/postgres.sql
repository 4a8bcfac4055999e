SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.account (
    id text NOT NULL,
    "accountId" text NOT NULL,
    "providerId" text NOT NULL,
    "userId" text NOT NULL,
    "accessToken" text,
    "refreshToken" text,
    "idToken" text,
    "accessTokenExpiresAt" timestamp with time zone,
    "refreshTokenExpiresAt" timestamp with time zone,
    scope text,
    password text,
    "createdAt" timestamp with time zone NOT NULL,
    "updatedAt" timestamp with time zone NOT NULL
);
CREATE TABLE public."accountLink" (
    id text NOT NULL,
    "tokenHash" text NOT NULL,
    email text,
    role text,
    "userId" text,
    "createdBy" text NOT NULL,
    "createdAt" bigint NOT NULL,
    "expiresAt" bigint NOT NULL
);
CREATE TABLE public.app (
    id text NOT NULL,
    name text NOT NULL,
    key text NOT NULL,
    secret text,
    "createdAt" bigint NOT NULL
);
CREATE TABLE public.attendance (
    number bigint NOT NULL,
    at bigint NOT NULL,
    "userId" text NOT NULL,
    kind text NOT NULL,
    change text NOT NULL,
    reason text,
    name text,
    "searchName" text COLLATE pg_catalog."C",
    channel text DEFAULT 'presence-chart'::text NOT NULL,
    "logId" text
);
CREATE SEQUENCE public.attendance_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.attendance_number_seq OWNED BY public.attendance.number;
CREATE TABLE public.attending (
    channel text NOT NULL,
    "userId" text NOT NULL,
    kind text NOT NULL,
    since bigint NOT NULL,
    name text,
    "searchName" text COLLATE pg_catalog."C"
);
CREATE TABLE public."auditEntry" (
    number bigint NOT NULL,
    at bigint NOT NULL,
    "actorId" text NOT NULL,
    "actorName" text NOT NULL,
    action text NOT NULL,
    "targetId" text,
    "targetName" text,
    details text NOT NULL
);
CREATE SEQUENCE public."auditEntry_number_seq"
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public."auditEntry_number_seq" OWNED BY public."auditEntry".number;
CREATE TABLE public."blockedGuest" (
    "guestId" text NOT NULL,
    "blockedAt" bigint NOT NULL,
    "blockedBy" text NOT NULL
);
CREATE TABLE public.embed (
    id text NOT NULL,
    name text NOT NULL,
    label text NOT NULL,
    origins text NOT NULL,
    readers text NOT NULL,
    "createdAt" bigint NOT NULL,
    "createdBy" text NOT NULL,
    "lastUsedAt" bigint
);
CREATE TABLE public.migration (
    number integer NOT NULL,
    name text NOT NULL,
    "appliedAt" text NOT NULL
);
CREATE TABLE public."onlineInterval" (
    channel text NOT NULL,
    "intervalMs" integer NOT NULL,
    "startsAt" bigint NOT NULL,
    "mostUsers" integer NOT NULL,
    "mostUsersAt" bigint NOT NULL,
    "fewestUsers" integer NOT NULL,
    "lastUsers" integer NOT NULL,
    "lastAt" bigint NOT NULL,
    "mostConnections" integer NOT NULL,
    "measuredMs" integer NOT NULL
);
CREATE TABLE public."rateLimit" (
    id text NOT NULL,
    key text NOT NULL,
    count integer NOT NULL,
    "lastRequest" bigint NOT NULL
);
CREATE TABLE public.server (
    id text NOT NULL,
    "seenAt" bigint NOT NULL,
    "seesRedis" boolean NOT NULL,
    since bigint NOT NULL
);
CREATE TABLE public.session (
    id text NOT NULL,
    "expiresAt" timestamp with time zone NOT NULL,
    token text NOT NULL,
    "createdAt" timestamp with time zone NOT NULL,
    "updatedAt" timestamp with time zone NOT NULL,
    "ipAddress" text,
    "userAgent" text,
    "userId" text NOT NULL,
    "impersonatedBy" text
);
CREATE TABLE public.setting (
    name text NOT NULL,
    value text NOT NULL
);
CREATE TABLE public."signInAttempt" (
    account text NOT NULL,
    count integer NOT NULL,
    since bigint NOT NULL
);
CREATE TABLE public."undeliveredWebhook" (
    id text NOT NULL,
    "appId" text NOT NULL,
    webhook text,
    "acceptedAt" bigint NOT NULL,
    events text NOT NULL,
    count integer NOT NULL
);
CREATE TABLE public."user" (
    id text NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    "emailVerified" boolean NOT NULL,
    image text,
    "createdAt" timestamp with time zone NOT NULL,
    "updatedAt" timestamp with time zone NOT NULL,
    role text NOT NULL,
    banned boolean NOT NULL,
    "banReason" text,
    "banExpires" timestamp with time zone
);
CREATE TABLE public.verification (
    id text NOT NULL,
    identifier text NOT NULL,
    value text NOT NULL,
    "expiresAt" timestamp with time zone NOT NULL,
    "createdAt" timestamp with time zone NOT NULL,
    "updatedAt" timestamp with time zone NOT NULL
);
CREATE TABLE public."wallboardLink" (
    id text NOT NULL,
    name text NOT NULL,
    "tokenHash" text NOT NULL,
    "createdAt" bigint NOT NULL,
    "createdBy" text NOT NULL,
    "lastUsedAt" bigint,
    "revokedAt" bigint
);
ALTER TABLE ONLY public.attendance ALTER COLUMN number SET DEFAULT nextval('public.attendance_number_seq'::regclass);
ALTER TABLE ONLY public."auditEntry" ALTER COLUMN number SET DEFAULT nextval('public."auditEntry_number_seq"'::regclass);
INSERT INTO public.account VALUES ('2107f47dd903d50c556581bff252b96f', '7229d8300ac582e81c066ca126995248', 'credential', '7229d8300ac582e81c066ca126995248', NULL, NULL, NULL, NULL, NULL, NULL, '3601f814cea3b15b1e96485d2d95585c:a4f8a509a3f9d1fb9954090329f3771337d94cdc3d6e3fdcc06bb7438705ef6b9a707ec74cc8da2108f914111b761880a3af3691709e9bc058f3bed0ee1f768f', '2026-11-29 06:53:15.17+00', '2026-11-29 06:53:15.17+00');
INSERT INTO public.account VALUES ('4da176eb56a63177695c2d79a780dc23', '4e0324076394dafa2ffdf8b2671e3aa7', 'credential', '4e0324076394dafa2ffdf8b2671e3aa7', NULL, NULL, NULL, NULL, NULL, NULL, '1c467b3a2bb3381eafb07770e3f1f5bc:bc708be65472219479f5e9760f6bdc3b87f5c414dfc4d97cfd8a66fcdcfebef7d37073bbf3e1bb8a4dae20277db70c2b54fc235ace0f5891d1106ec90802d135', '2026-11-29 06:53:15.753+00', '2026-11-29 06:53:15.753+00');
INSERT INTO public.account VALUES ('fd261c377f97e1de4e7f9f0165a84ca7', 'c2a0932e3930aee19d0fa5ba34e6943a', 'credential', 'c2a0932e3930aee19d0fa5ba34e6943a', NULL, NULL, NULL, NULL, NULL, NULL, 'fa31867b8f3b836795d5877b5db6d5e0:08ee41b012639fb44ac95436339a662396fb1b58a304382a3f697aa9706399f44be574a51f2d0e14449e261a13c31d6276d26e5e1712d79080702ea6217a808d', '2026-11-29 06:53:16.996+00', '2026-11-29 06:53:16.996+00');
INSERT INTO public.account VALUES ('872a5d71838c78337a5d4f470e4b2ce5', '9a928441d1da24a44ee994ddefb65514', 'credential', '9a928441d1da24a44ee994ddefb65514', NULL, NULL, NULL, NULL, NULL, NULL, '03212ce6fbfe5e00f68824f9c6ac6ff7:abfb63fa7ba75be87057a0e2fea7bc668bae9bfb8511c900667ceceab43e3459f1f1447df98c902346936f6bb85675548a225a07d5727153b52a04f7adb9c560', '2026-11-29 06:53:19.262+00', '2026-11-29 06:53:19.262+00');
INSERT INTO public."accountLink" VALUES ('413f9067be60b03e59182ac277a3d3c8', '9BuBdCCAv3qSivImI49ObSxCYMz8-SF2ySDgpDk1cJ0', 'eve@example.com', 'admin', NULL, '7229d8300ac582e81c066ca126995248', 1795935208494, 1796021608494);
INSERT INTO public."accountLink" VALUES ('1b9ce4cf749baab8a8edb307c0c5490c', 'kkaT1Ttp61R4Nq4bjgF1tkMBG1ZMbuD0DJdO-5xhU50', NULL, NULL, 'c2a0932e3930aee19d0fa5ba34e6943a', '7229d8300ac582e81c066ca126995248', 1795935208730, 1796021608730);
INSERT INTO public.app VALUES ('6933122', 'Shop', '97245ea30149f17f6997', 'test-secret-of-the-shop-in-0.1.0', 1795935203752);
INSERT INTO public.app VALUES ('rollcall', 'Our shop window', 'test-key-of-0.1.0', NULL, 1795935205594);
INSERT INTO public.attendance VALUES (1, 1795935208787, 'u-1', 'foreign', 'joined', NULL, 'Grace Hopper', 'grace hopper', 'presence-chart', '1795935208798-0');
INSERT INTO public.attendance VALUES (2, 1795935208851, 'u-2', 'foreign', 'joined', NULL, 'Alan Turing', 'alan turing', 'presence-chart', '1795935208852-0');
INSERT INTO public.attendance VALUES (3, 1795935210495, 'guest-210699b05104abe202917e9166b26836', 'guest', 'joined', NULL, NULL, NULL, 'presence-chart', '1795935210495-0');
INSERT INTO public.attendance VALUES (4, 1795935210867, 'c2a0932e3930aee19d0fa5ba34e6943a', 'user', 'joined', NULL, NULL, NULL, 'presence-chart', '1795935210867-0');
INSERT INTO public.attendance VALUES (5, 1795935214669, 'guest-210699b05104abe202917e9166b26836', 'guest', 'left', 'removed', NULL, NULL, 'presence-chart', '1795935214670-0');
INSERT INTO public.attendance VALUES (6, 1795935214783, 'c2a0932e3930aee19d0fa5ba34e6943a', 'user', 'left', 'removed', NULL, NULL, 'presence-chart', '1795935214783-0');
INSERT INTO public.attendance VALUES (7, 1795935215611, 'agent-1', 'foreign', 'joined', NULL, 'Support desk', 'support desk', 'presence-support', '1795935215612-1');
INSERT INTO public.attendance VALUES (8, 1795935215832, 'u-10', 'foreign', 'joined', NULL, 'Visitor 0', 'visitor 0', 'presence-chart', '1795935215832-0');
INSERT INTO public.attendance VALUES (9, 1795935256202, 'u-11', 'foreign', 'joined', NULL, 'Visitor 1', 'visitor 1', 'presence-chart', '1795935256202-0');
INSERT INTO public.attendance VALUES (10, 1795935257718, 'u-11', 'foreign', 'left', 'closed', 'Visitor 1', 'visitor 1', 'presence-chart', '1795935257718-0');
INSERT INTO public.attendance VALUES (11, 1795935257725, 'u-12', 'foreign', 'joined', NULL, 'Visitor 2', 'visitor 2', 'presence-chart', '1795935257725-0');
INSERT INTO public.attendance VALUES (12, 1795935259235, 'u-13', 'foreign', 'joined', NULL, 'Visitor 3', 'visitor 3', 'presence-chart', '1795935259235-0');
INSERT INTO public.attendance VALUES (13, 1795935260783, 'u-13', 'foreign', 'left', 'closed', 'Visitor 3', 'visitor 3', 'presence-chart', '1795935260783-0');
INSERT INTO public.attendance VALUES (14, 1795935260863, 'u-14', 'foreign', 'joined', NULL, 'Visitor 4', 'visitor 4', 'presence-chart', '1795935260863-0');
INSERT INTO public.attendance VALUES (15, 1795935301518, 'u-15', 'foreign', 'joined', NULL, 'Visitor 5', 'visitor 5', 'presence-chart', '1795935301518-0');
INSERT INTO public.attendance VALUES (16, 1795935303718, 'u-15', 'foreign', 'left', 'closed', 'Visitor 5', 'visitor 5', 'presence-chart', '1795935303718-0');
INSERT INTO public.attendance VALUES (17, 1795935305353, 'u-10', 'foreign', 'left', 'closed', 'Visitor 0', 'visitor 0', 'presence-chart', '1795935305353-0');
INSERT INTO public.attending VALUES ('presence-chart', 'u-1', 'foreign', 1795935208787, 'Grace Hopper', 'grace hopper');
INSERT INTO public.attending VALUES ('presence-chart', 'u-2', 'foreign', 1795935208851, 'Alan Turing', 'alan turing');
INSERT INTO public.attending VALUES ('presence-support', 'agent-1', 'foreign', 1795935215611, 'Support desk', 'support desk');
INSERT INTO public.attending VALUES ('presence-chart', 'u-12', 'foreign', 1795935257725, 'Visitor 2', 'visitor 2');
INSERT INTO public.attending VALUES ('presence-chart', 'u-14', 'foreign', 1795935260863, 'Visitor 4', 'visitor 4');
INSERT INTO public."auditEntry" VALUES (1, 1795935195757, '7229d8300ac582e81c066ca126995248', 'Ada', 'user_added', '4e0324076394dafa2ffdf8b2671e3aa7', 'Ben', '{"email":"ben@example.com","role":"admin"}');
INSERT INTO public."auditEntry" VALUES (2, 1795935196998, '7229d8300ac582e81c066ca126995248', 'Ada', 'user_added', 'c2a0932e3930aee19d0fa5ba34e6943a', 'Cleo', '{"email":"cleo@example.com","role":"user"}');
INSERT INTO public."auditEntry" VALUES (3, 1795935199293, '7229d8300ac582e81c066ca126995248', 'Ada', 'user_added', '9a928441d1da24a44ee994ddefb65514', 'Dora', '{"email":"dora@example.com","role":"user"}');
INSERT INTO public."auditEntry" VALUES (4, 1795935203753, '7229d8300ac582e81c066ca126995248', 'Ada', 'app_added', '6933122', 'Shop', '{}');
INSERT INTO public."auditEntry" VALUES (5, 1795935203770, '7229d8300ac582e81c066ca126995248', 'Ada', 'app_secret_replaced', '6933122', 'Shop', '{}');
INSERT INTO public."auditEntry" VALUES (6, 1795935203789, '7229d8300ac582e81c066ca126995248', 'Ada', 'app_secret_shown', '6933122', 'Shop', '{}');
INSERT INTO public."auditEntry" VALUES (7, 1795935204584, '7229d8300ac582e81c066ca126995248', 'Ada', 'app_added', '1141899', 'Old shop', '{}');
INSERT INTO public."auditEntry" VALUES (8, 1795935205188, '7229d8300ac582e81c066ca126995248', 'Ada', 'app_removed', '1141899', 'Old shop', '{}');
INSERT INTO public."auditEntry" VALUES (9, 1795935205618, '7229d8300ac582e81c066ca126995248', 'Ada', 'app_renamed', 'rollcall', 'Our shop window', '{}');
INSERT INTO public."auditEntry" VALUES (10, 1795935205983, '7229d8300ac582e81c066ca126995248', 'Ada', 'wallboard_link_created', 'aba41200dcaf5dbea84cc63ae17f2756', 'Lobby', '{}');
INSERT INTO public."auditEntry" VALUES (11, 1795935207545, '7229d8300ac582e81c066ca126995248', 'Ada', 'wallboard_link_created', '33e70b4206b4a60b48336affd341b6af', 'Old kitchen', '{}');
INSERT INTO public."auditEntry" VALUES (12, 1795935207636, '7229d8300ac582e81c066ca126995248', 'Ada', 'wallboard_link_revoked', '33e70b4206b4a60b48336affd341b6af', 'Old kitchen', '{}');
INSERT INTO public."auditEntry" VALUES (13, 1795935207908, '7229d8300ac582e81c066ca126995248', 'Ada', 'embed_created', 'dxtrpJwet0BNxHwrU_IDOA', 'Status page', '{}');
INSERT INTO public."auditEntry" VALUES (14, 1795935207970, '7229d8300ac582e81c066ca126995248', 'Ada', 'embed_changed', 'dxtrpJwet0BNxHwrU_IDOA', 'Status page', '{"label":"people here","origins":"https://status.example.com","readers":"any"}');
INSERT INTO public."auditEntry" VALUES (15, 1795935208003, '7229d8300ac582e81c066ca126995248', 'Ada', 'alert_changed', NULL, NULL, '{"enabled":true,"users":3,"direction":"up","holdSeconds":0,"webhook":"https://hooks.example.com"}');
INSERT INTO public."auditEntry" VALUES (16, 1795935208435, '7229d8300ac582e81c066ca126995248', 'Ada', 'alert_changed', NULL, NULL, '{"channel":"presence-support","enabled":true,"users":1,"direction":"down","holdSeconds":300,"webhook":"https://hooks.slack.com"}');
INSERT INTO public."auditEntry" VALUES (17, 1795935208503, '7229d8300ac582e81c066ca126995248', 'Ada', 'invite_created', '413f9067be60b03e59182ac277a3d3c8', 'eve@example.com', '{"role":"admin"}');
INSERT INTO public."auditEntry" VALUES (18, 1795935208733, '7229d8300ac582e81c066ca126995248', 'Ada', 'reset_link_created', 'c2a0932e3930aee19d0fa5ba34e6943a', 'Cleo', '{}');
INSERT INTO public."auditEntry" VALUES (19, 1795935212888, '7229d8300ac582e81c066ca126995248', 'Ada', 'message_sent_to_all', NULL, NULL, '{"text":"We deploy in five minutes."}');
INSERT INTO public."auditEntry" VALUES (20, 1795935214510, '7229d8300ac582e81c066ca126995248', 'Ada', 'guest_blocked', 'guest-210699b05104abe202917e9166b26836', 'Guest 2106', '{"openPages":1}');
INSERT INTO public."auditEntry" VALUES (21, 1795935214728, '7229d8300ac582e81c066ca126995248', 'Ada', 'member_removed', 'c2a0932e3930aee19d0fa5ba34e6943a', 'Cleo', '{"openPages":1}');
INSERT INTO public."auditEntry" VALUES (22, 1795935215285, '7229d8300ac582e81c066ca126995248', 'Ada', 'user_disabled', '9a928441d1da24a44ee994ddefb65514', 'Dora', '{}');
INSERT INTO public."blockedGuest" VALUES ('guest-210699b05104abe202917e9166b26836', 1795935214661, '7229d8300ac582e81c066ca126995248');
INSERT INTO public.embed VALUES ('dxtrpJwet0BNxHwrU_IDOA', 'Status page', 'people here', '["https://status.example.com"]', 'any', 1795935207903, '7229d8300ac582e81c066ca126995248', 1795935207975);
INSERT INTO public.migration VALUES (1, 'users, credentials and sessions', '2026-11-29T06:53:10.201Z');
INSERT INTO public.migration VALUES (2, 'sign-in limits', '2026-11-29T06:53:10.205Z');
INSERT INTO public.migration VALUES (3, 'settings', '2026-11-29T06:53:10.207Z');
INSERT INTO public.migration VALUES (4, 'undelivered webhooks', '2026-11-29T06:53:10.209Z');
INSERT INTO public.migration VALUES (5, 'history of users online', '2026-11-29T06:53:10.210Z');
INSERT INTO public.migration VALUES (6, 'attendance log', '2026-11-29T06:53:10.216Z');
INSERT INTO public.migration VALUES (7, 'audit log', '2026-11-29T06:53:10.219Z');
INSERT INTO public.migration VALUES (8, 'wallboard links', '2026-11-29T06:53:10.222Z');
INSERT INTO public.migration VALUES (9, 'blocked guests', '2026-11-29T06:53:10.223Z');
INSERT INTO public.migration VALUES (10, 'names in the activity log', '2026-11-29T06:53:10.225Z');
INSERT INTO public.migration VALUES (11, 'apps', '2026-11-29T06:53:10.227Z');
INSERT INTO public.migration VALUES (12, 'time for which an alert must hold', '2026-11-29T06:53:10.229Z');
INSERT INTO public.migration VALUES (13, 'embeds', '2026-11-29T06:53:10.230Z');
INSERT INTO public.migration VALUES (14, 'invitations and reset links', '2026-11-29T06:53:10.232Z');
INSERT INTO public.migration VALUES (15, 'channels of history and activity', '2026-11-29T06:53:10.251Z');
INSERT INTO public.migration VALUES (16, 'entries of the shared log in the activity log', '2026-11-29T06:53:10.261Z');
INSERT INTO public.migration VALUES (17, 'servers', '2026-11-29T06:53:10.265Z');
INSERT INTO public.migration VALUES (18, 'indexes of the activity in a channel', '2026-11-29T06:53:10.393Z');
INSERT INTO public."onlineInterval" VALUES ('presence-chart', 60000, 1795935180000, 4, 1795935210867, 1, 3, 1795935240000, 4, 31200);
INSERT INTO public."onlineInterval" VALUES ('presence-support', 60000, 1795935180000, 1, 1795935215612, 1, 1, 1795935240000, 1, 24388);
INSERT INTO public."onlineInterval" VALUES ('presence-chart', 60000, 1795935240000, 5, 1795935259248, 3, 5, 1795935300000, 5, 60000);
INSERT INTO public."onlineInterval" VALUES ('presence-chart', 900000, 1795934700000, 5, 1795935259248, 1, 5, 1795935300000, 5, 91200);
INSERT INTO public."onlineInterval" VALUES ('presence-chart', 21600000, 1795932000000, 5, 1795935259248, 1, 5, 1795935300000, 5, 91200);
INSERT INTO public."onlineInterval" VALUES ('presence-support', 60000, 1795935240000, 1, 1795935240000, 1, 1, 1795935300000, 1, 60000);
INSERT INTO public."onlineInterval" VALUES ('presence-support', 900000, 1795934700000, 1, 1795935215612, 1, 1, 1795935300000, 1, 84388);
INSERT INTO public."onlineInterval" VALUES ('presence-support', 21600000, 1795932000000, 1, 1795935215612, 1, 1, 1795935300000, 1, 84388);
INSERT INTO public."rateLimit" VALUES ('9nCXArp2dpdySaJdQSX2crbzVAztF8P9', '127.0.0.1|/sign-in/email', 1, 1795935202819);
INSERT INTO public.server VALUES ('4252689356', 1795935352795, true, 1795935194038);
INSERT INTO public.session VALUES ('y7ie5VDq5M2rqqlB5M159PaulLhmkkQg', '2026-12-06 06:53:21.571+00', '14nRZS5sbMgh0RYjxCf4J9PIs2dGNhGuzC6NGLr5OHo', '2026-11-29 06:53:21.571+00', '2026-11-29 06:53:21.571+00', '127.0.0.1', 'Deno/2.9.6', '4e0324076394dafa2ffdf8b2671e3aa7', NULL);
INSERT INTO public.session VALUES ('S1gXjBub28T921igEqTqViQVTKc63BrQ', '2026-12-06 06:53:22.388+00', 'sUmflaq8wxqvAMoLzlpt7fL1VIVmlp4Uq-GsKnscsE4', '2026-11-29 06:53:22.389+00', '2026-11-29 06:53:22.389+00', '127.0.0.1', 'Deno/2.9.6', 'c2a0932e3930aee19d0fa5ba34e6943a', NULL);
INSERT INTO public.session VALUES ('Ose6HEiM7HuizSvX4F8DaTPlT0RjOJRM', '2026-12-06 06:53:15.453+00', 'ZJB70UUY8rWM4Iu05-E-2CQNk4cosdI_b5HufYZHlnY', '2026-11-29 06:53:15.453+00', '2026-11-29 06:55:46.92+00', '127.0.0.1', 'Deno/2.9.6', '7229d8300ac582e81c066ca126995248', NULL);
INSERT INTO public.setting VALUES ('lead_turn', '1');
INSERT INTO public.setting VALUES ('alert presence-support', '{"setting":{"enabled":true,"users":1,"direction":"down","holdSeconds":300,"webhookUrl":"https://hooks.slack.com/services/T0/B0/test-of-0.1.0"},"version":1,"phase":"normal","crossings":[]}');
INSERT INTO public.setting VALUES ('first_app_user', '{"at":1795935208801}');
INSERT INTO public.setting VALUES ('alert', '{"setting":{"enabled":true,"users":3,"direction":"up","holdSeconds":0,"webhookUrl":"https://hooks.example.com/alerts?token=test-token-of-0.1.0"},"version":1,"phase":"active","crossings":[{"at":1795935215868,"users":3,"threshold":3,"direction":"up","phase":"active"},{"at":1795935214784,"users":2,"threshold":3,"direction":"up","phase":"normal"},{"at":1795935210499,"users":3,"threshold":3,"direction":"up","phase":"active"}]}');
INSERT INTO public.setting VALUES ('last_alive', '1795935344979');
INSERT INTO public."signInAttempt" VALUES ('x6GsWYk1nqtjWFklBge62aTGJ4pxjHjwouDGASd7wbQ', 1, 1795935202623);
INSERT INTO public."undeliveredWebhook" VALUES ('01795935208819-000000000000-e72aead6', 'rollcall', '4sGnw1LN5vT1RVwq5y6uItB1XuZsyWy9rmSZaJCJax0', 1795935208819, '{"name":"channel_occupied","channel":"presence-chart","time_ms":1795935208787},{"name":"member_added","channel":"presence-chart","user_id":"u-1","time_ms":1795935208787}', 2);
INSERT INTO public."undeliveredWebhook" VALUES ('01795935208884-000000000001-5632c3bc', 'rollcall', '4sGnw1LN5vT1RVwq5y6uItB1XuZsyWy9rmSZaJCJax0', 1795935208884, '{"name":"member_added","channel":"presence-chart","user_id":"u-2","time_ms":1795935208851}', 1);
INSERT INTO public."undeliveredWebhook" VALUES ('01795935210762-000000000003-4b252802', 'rollcall', '4MXt_lE3bvhM1geBvXDlhStkD5pzRSCszXNO72h9Oog', 1795935210762, '{"name":"users_online_threshold","channel":"presence-chart","direction":"up","threshold":3,"users":3}', 1);
INSERT INTO public."undeliveredWebhook" VALUES ('01795935210684-000000000002-a38c348f', 'rollcall', '4sGnw1LN5vT1RVwq5y6uItB1XuZsyWy9rmSZaJCJax0', 1795935210684, '{"name":"member_added","channel":"presence-chart","user_id":"guest-210699b05104abe202917e9166b26836","time_ms":1795935210495},{"name":"member_added","channel":"presence-chart","user_id":"c2a0932e3930aee19d0fa5ba34e6943a","time_ms":1795935210867}', 2);
INSERT INTO public."undeliveredWebhook" VALUES ('01795935214929-000000000004-0018c973', 'rollcall', '4MXt_lE3bvhM1geBvXDlhStkD5pzRSCszXNO72h9Oog', 1795935214929, '{"name":"users_online_normal","channel":"presence-chart","direction":"up","threshold":3,"users":2}', 1);
INSERT INTO public."undeliveredWebhook" VALUES ('01795935216390-000000000006-991af97e', 'rollcall', '4MXt_lE3bvhM1geBvXDlhStkD5pzRSCszXNO72h9Oog', 1795935216390, '{"name":"users_online_threshold","channel":"presence-chart","direction":"up","threshold":3,"users":3}', 1);
INSERT INTO public."undeliveredWebhook" VALUES ('01795935216030-000000000005-f3b2d57e', 'rollcall', '4sGnw1LN5vT1RVwq5y6uItB1XuZsyWy9rmSZaJCJax0', 1795935216030, '{"name":"channel_occupied","channel":"presence-support","time_ms":1795935215611},{"name":"member_added","channel":"presence-support","user_id":"agent-1","time_ms":1795935215611},{"name":"member_added","channel":"presence-chart","user_id":"u-10","time_ms":1795935215832}', 3);
INSERT INTO public."undeliveredWebhook" VALUES ('01795935217718-000000000007-47ac005f', 'rollcall', '4sGnw1LN5vT1RVwq5y6uItB1XuZsyWy9rmSZaJCJax0', 1795935217718, '{"name":"member_removed","channel":"presence-chart","user_id":"guest-210699b05104abe202917e9166b26836","time_ms":1795935214669},{"name":"member_removed","channel":"presence-chart","user_id":"c2a0932e3930aee19d0fa5ba34e6943a","time_ms":1795935214783}', 2);
INSERT INTO public."undeliveredWebhook" VALUES ('01795935256235-000000000008-d8c11001', 'rollcall', '4sGnw1LN5vT1RVwq5y6uItB1XuZsyWy9rmSZaJCJax0', 1795935256235, '{"name":"member_added","channel":"presence-chart","user_id":"u-11","time_ms":1795935256202}', 1);
INSERT INTO public."undeliveredWebhook" VALUES ('01795935257778-000000000009-6554a073', 'rollcall', '4sGnw1LN5vT1RVwq5y6uItB1XuZsyWy9rmSZaJCJax0', 1795935257778, '{"name":"member_added","channel":"presence-chart","user_id":"u-12","time_ms":1795935257725}', 1);
INSERT INTO public."undeliveredWebhook" VALUES ('01795935259262-000000000010-5161934b', 'rollcall', '4sGnw1LN5vT1RVwq5y6uItB1XuZsyWy9rmSZaJCJax0', 1795935259262, '{"name":"member_added","channel":"presence-chart","user_id":"u-13","time_ms":1795935259235}', 1);
INSERT INTO public."undeliveredWebhook" VALUES ('01795935260727-000000000011-c57b9084', 'rollcall', '4sGnw1LN5vT1RVwq5y6uItB1XuZsyWy9rmSZaJCJax0', 1795935260727, '{"name":"member_removed","channel":"presence-chart","user_id":"u-11","time_ms":1795935257718},{"name":"member_added","channel":"presence-chart","user_id":"u-14","time_ms":1795935260863}', 2);
INSERT INTO public."undeliveredWebhook" VALUES ('01795935263798-000000000012-9d4e3ddc', 'rollcall', '4sGnw1LN5vT1RVwq5y6uItB1XuZsyWy9rmSZaJCJax0', 1795935263798, '{"name":"member_removed","channel":"presence-chart","user_id":"u-13","time_ms":1795935260783}', 1);
INSERT INTO public."undeliveredWebhook" VALUES ('01795935301732-000000000013-227d794e', 'rollcall', '4sGnw1LN5vT1RVwq5y6uItB1XuZsyWy9rmSZaJCJax0', 1795935301732, '{"name":"member_added","channel":"presence-chart","user_id":"u-15","time_ms":1795935301518}', 1);
INSERT INTO public."undeliveredWebhook" VALUES ('01795935306846-000000000014-f4f131c0', 'rollcall', '4sGnw1LN5vT1RVwq5y6uItB1XuZsyWy9rmSZaJCJax0', 1795935306846, '{"name":"member_removed","channel":"presence-chart","user_id":"u-15","time_ms":1795935303718}', 1);
INSERT INTO public."undeliveredWebhook" VALUES ('01795935308899-000000000015-cb30ee25', 'rollcall', '4sGnw1LN5vT1RVwq5y6uItB1XuZsyWy9rmSZaJCJax0', 1795935308899, '{"name":"member_removed","channel":"presence-chart","user_id":"u-10","time_ms":1795935305353}', 1);
INSERT INTO public."user" VALUES ('7229d8300ac582e81c066ca126995248', 'Ada', 'ada@example.com', false, NULL, '2026-11-29 06:53:15.17+00', '2026-11-29 06:53:15.17+00', 'admin', false, NULL, NULL);
INSERT INTO public."user" VALUES ('4e0324076394dafa2ffdf8b2671e3aa7', 'Ben', 'ben@example.com', false, NULL, '2026-11-29 06:53:15.753+00', '2026-11-29 06:53:15.753+00', 'admin', false, NULL, NULL);
INSERT INTO public."user" VALUES ('c2a0932e3930aee19d0fa5ba34e6943a', 'Cleo', 'cleo@example.com', false, NULL, '2026-11-29 06:53:16.996+00', '2026-11-29 06:53:16.996+00', 'user', false, NULL, NULL);
INSERT INTO public."user" VALUES ('9a928441d1da24a44ee994ddefb65514', 'Dora', 'dora@example.com', false, NULL, '2026-11-29 06:53:19.262+00', '2026-11-29 06:53:35.305+00', 'user', true, NULL, NULL);
INSERT INTO public."wallboardLink" VALUES ('aba41200dcaf5dbea84cc63ae17f2756', 'Lobby', 'PVJm3U8nQrF9PawD_aIvl9PymG3MOx3m_wHs_xybfH8', 1795935205968, '7229d8300ac582e81c066ca126995248', 1795935206363, NULL);
INSERT INTO public."wallboardLink" VALUES ('33e70b4206b4a60b48336affd341b6af', 'Old kitchen', 'BXGnRaAfQiQV0R3FfqvaAmAadGIOsIPLeYVD9Qw3QxI', 1795935207541, '7229d8300ac582e81c066ca126995248', NULL, 1795935207632);
SELECT pg_catalog.setval('public.attendance_number_seq', 17, true);
SELECT pg_catalog.setval('public."auditEntry_number_seq"', 22, true);
ALTER TABLE ONLY public."accountLink"
    ADD CONSTRAINT "accountLink_email_key" UNIQUE (email);
ALTER TABLE ONLY public."accountLink"
    ADD CONSTRAINT "accountLink_pkey" PRIMARY KEY (id);
ALTER TABLE ONLY public."accountLink"
    ADD CONSTRAINT "accountLink_tokenHash_key" UNIQUE ("tokenHash");
ALTER TABLE ONLY public."accountLink"
    ADD CONSTRAINT "accountLink_userId_key" UNIQUE ("userId");
ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.app
    ADD CONSTRAINT app_key_key UNIQUE (key);
ALTER TABLE ONLY public.app
    ADD CONSTRAINT app_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.attendance
    ADD CONSTRAINT attendance_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.attending
    ADD CONSTRAINT attending_key PRIMARY KEY (channel, "userId");
ALTER TABLE ONLY public."auditEntry"
    ADD CONSTRAINT "auditEntry_pkey" PRIMARY KEY (number);
ALTER TABLE ONLY public."blockedGuest"
    ADD CONSTRAINT "blockedGuest_pkey" PRIMARY KEY ("guestId");
ALTER TABLE ONLY public.embed
    ADD CONSTRAINT embed_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public."onlineInterval"
    ADD CONSTRAINT "onlineInterval_key" PRIMARY KEY ("intervalMs", "startsAt", channel);
ALTER TABLE ONLY public."rateLimit"
    ADD CONSTRAINT "rateLimit_key_key" UNIQUE (key);
ALTER TABLE ONLY public."rateLimit"
    ADD CONSTRAINT "rateLimit_pkey" PRIMARY KEY (id);
ALTER TABLE ONLY public.server
    ADD CONSTRAINT server_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_token_key UNIQUE (token);
ALTER TABLE ONLY public.setting
    ADD CONSTRAINT setting_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public."signInAttempt"
    ADD CONSTRAINT "signInAttempt_pkey" PRIMARY KEY (account);
ALTER TABLE ONLY public."undeliveredWebhook"
    ADD CONSTRAINT "undeliveredWebhook_pkey" PRIMARY KEY (id);
ALTER TABLE ONLY public."user"
    ADD CONSTRAINT user_email_key UNIQUE (email);
ALTER TABLE ONLY public."user"
    ADD CONSTRAINT user_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.verification
    ADD CONSTRAINT verification_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public."wallboardLink"
    ADD CONSTRAINT "wallboardLink_pkey" PRIMARY KEY (id);
ALTER TABLE ONLY public."wallboardLink"
    ADD CONSTRAINT "wallboardLink_tokenHash_key" UNIQUE ("tokenHash");
CREATE INDEX "account_userId" ON public.account USING btree ("userId");
CREATE INDEX attendance_at ON public.attendance USING btree (at, number);
CREATE INDEX attendance_channel ON public.attendance USING btree (channel, at, number);
CREATE INDEX attendance_channel_kind ON public.attendance USING btree (channel, kind, at, number);
CREATE INDEX "attendance_channel_userId" ON public.attendance USING btree (channel, "userId", at, number);
CREATE INDEX attendance_kind ON public.attendance USING btree (kind, at, number);
CREATE UNIQUE INDEX "attendance_logId" ON public.attendance USING btree ("logId") WHERE ("logId" IS NOT NULL);
CREATE INDEX "attendance_searchName" ON public.attendance USING btree ("searchName", "userId");
CREATE INDEX "attendance_userId" ON public.attendance USING btree ("userId", at, number);
CREATE INDEX "auditEntry_action" ON public."auditEntry" USING btree (action, at, number);
CREATE INDEX "auditEntry_actorId" ON public."auditEntry" USING btree ("actorId", at, number);
CREATE INDEX "auditEntry_at" ON public."auditEntry" USING btree (at, number);
CREATE INDEX "auditEntry_targetId" ON public."auditEntry" USING btree ("targetId", at, number);
CREATE INDEX "session_userId" ON public.session USING btree ("userId");
CREATE INDEX verification_identifier ON public.verification USING btree (identifier);
ALTER TABLE ONLY public.account
    ADD CONSTRAINT "account_userId_fkey" FOREIGN KEY ("userId") REFERENCES public."user"(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.session
    ADD CONSTRAINT "session_userId_fkey" FOREIGN KEY ("userId") REFERENCES public."user"(id) ON DELETE CASCADE;
