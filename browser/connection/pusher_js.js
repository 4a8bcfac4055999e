/*! pusher-js 8.6.0 (https://pusher.com), MIT license; built by tools/pusher_js/main.ts */
// deno-fmt-ignore-file
// deno-lint-ignore-file
var gt={baseUrl:"https://pusher.com",urls:{authenticationEndpoint:{path:"/docs/channels/server_api/a\
uthenticating_users"},authorizationEndpoint:{path:"/docs/channels/server_api/authorizing-users/"},javascriptQuickStart:{
path:"/docs/javascript_quick_start"},triggeringClientEvents:{path:"/docs/client_api_guide/client_eve\
nts#trigger-events"},encryptedChannelSupport:{fullUrl:"https://github.com/pusher/pusher-js/tree/cc49\
1015371a4bde5743d1c87a0fbac0feb53195#encrypted-channel-support"}}},Ht=function(n){let t="See:",e=gt.
urls[n];if(!e)return"";let r;return e.fullUrl?r=e.fullUrl:e.path&&(r=gt.baseUrl+e.path),r?`${t} ${r}`:
""},T={buildLogSuffix:Ht};var Z=class extends Error{constructor(t){super(t),Object.setPrototypeOf(this,new.target.prototype)}},
tt=class extends Error{constructor(t){super(t),Object.setPrototypeOf(this,new.target.prototype)}};var et=class extends Error{constructor(t){super(t),Object.setPrototypeOf(this,new.target.prototype)}},
nt=class extends Error{constructor(t){super(t),Object.setPrototypeOf(this,new.target.prototype)}},O=class extends Error{constructor(t){
super(t),Object.setPrototypeOf(this,new.target.prototype)}},rt=class extends Error{constructor(t){super(
t),Object.setPrototypeOf(this,new.target.prototype)}},w=class extends Error{constructor(t){super(t),
Object.setPrototypeOf(this,new.target.prototype)}},k=class extends Error{constructor(t,e){super(e),this.
status=t,Object.setPrototypeOf(this,new.target.prototype)}};var Mt=function(n,t,e,r,i){let s=c.createXHR();s.open("POST",e.endpoint,!0),s.setRequestHeader("Cont\
ent-Type","application/x-www-form-urlencoded");for(var o in e.headers)s.setRequestHeader(o,e.headers[o]);
if(e.headersProvider!=null){let a=e.headersProvider();for(var o in a)s.setRequestHeader(o,a[o])}return s.
onreadystatechange=function(){if(s.readyState===4)if(s.status===200){let a,h=!1;try{a=JSON.parse(s.responseText),
h=!0}catch{i(new k(200,`JSON returned from ${r.toString()} endpoint was invalid, yet status code was\
 200. Data was: ${s.responseText}`),null)}h&&i(null,a)}else{let a="";switch(r){case"user-authenticat\
ion":a=T.buildLogSuffix("authenticationEndpoint");break;case"channel-authorization":a=`Clients must \
be authorized to join private or presence channels. ${T.buildLogSuffix("authorizationEndpoint")}`;break}
i(new k(s.status,`Unable to retrieve auth string from ${r.toString()} endpoint - received status: ${s.
status} from ${e.endpoint}. ${a}`),null)}},s.send(t),s},yt=Mt;function vt(){var n=this;n.timeline.info(n.buildTimelineMessage({transport:n.name+(n.options.useTLS?
"s":"")})),n.hooks.isInitialized()?n.changeState("initialized"):n.onClose()}var Pe=String.fromCharCode,E="ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",Ft={};
for(L=0,Ct=E.length;L<Ct;L++)Ft[E.charAt(L)]=L;var L,Ct;var jt=function(n){var t=[0,2,1][n.length%3],e=n.charCodeAt(0)<<16|(n.length>1?n.charCodeAt(1):0)<<8|
(n.length>2?n.charCodeAt(2):0),r=[E.charAt(e>>>18),E.charAt(e>>>12&63),t>=2?"=":E.charAt(e>>>6&63),t>=
1?"=":E.charAt(e&63)];return r.join("")},Se=typeof globalThis<"u"&&globalThis.btoa||function(n){return n.
replace(/[\s\S]{1,3}/g,jt)};var at=class{constructor(t,e,r,i){this.clear=e,this.timer=t(()=>{this.timer&&(this.timer=i(this.timer))},
r)}isRunning(){return this.timer!==null}ensureAborted(){this.timer&&(this.clear(this.timer),this.timer=
null)}},lt=at;function Nt(n){globalThis.clearTimeout(n)}function qt(n){globalThis.clearInterval(n)}var y=class extends lt{constructor(t,e){
super(setTimeout,Nt,t,function(r){return e(),null})}},it=class extends lt{constructor(t,e){super(setInterval,
qt,t,function(r){return e(),r})}};var $t={now(){return Date.now?Date.now():new Date().valueOf()},defer(n){return new y(0,n)},method(n,...t){
var e=Array.prototype.slice.call(arguments,1);return function(r){return r[n].apply(r,e.concat(arguments))}}},
m=$t;function f(n,...t){for(var e=0;e<t.length;e++){var r=t[e];for(var i in r)i==="__proto__"||i==="const\
ructor"||i==="prototype"||(r[i]&&r[i].constructor&&r[i].constructor===Object?n[i]=f(n[i]||{},r[i]):n[i]=
r[i])}return n}function Tt(){for(var n=["Pusher"],t=0;t<arguments.length;t++)typeof arguments[t]=="s\
tring"?n.push(arguments[t]):n.push(ut(arguments[t]));return n.join(" : ")}function ct(n,t){var e=Array.
prototype.indexOf;if(n===null)return-1;if(e&&n.indexOf===e)return n.indexOf(t);for(var r=0,i=n.length;r<
i;r++)if(n[r]===t)return r;return-1}function v(n,t){for(var e in n)Object.prototype.hasOwnProperty.call(
n,e)&&t(n[e],e,n)}function st(n){var t=[];return v(n,function(e,r){t.push(r)}),t}function kt(n){var t=[];
return v(n,function(e){t.push(e)}),t}function ht(n,t,e){for(var r=0;r<n.length;r++)t.call(e||globalThis,
n[r],r,n)}function ot(n,t){t=t||function(i){return!!i};for(var e=[],r=0;r<n.length;r++)t(n[r],r,n,e)&&e.push(n[r]);
return e}function At(n,t){var e={};return v(n,function(r,i){(t&&t(r,i,n,e)||r)&&(e[i]=r)}),e}function Pt(n,t){for(var e=0;e<n.length;e++)if(t(n[e],e,n))return!0;return!1}function Jt(n){var t=[],e=[];return(function r(i,s){var o,a,h;switch(typeof i){case"object":if(!i)return null;
for(o=0;o<t.length;o+=1)if(t[o]===i)return{$ref:e[o]};if(t.push(i),e.push(s),Object.prototype.toString.
apply(i)==="[object Array]")for(h=[],o=0;o<i.length;o+=1)h[o]=r(i[o],s+"["+o+"]");else{h={};for(a in i)
Object.prototype.hasOwnProperty.call(i,a)&&(h[a]=r(i[a],s+"["+JSON.stringify(a)+"]"))}return h;case"\
number":case"string":case"boolean":return i}})(n,"$")}function ut(n){try{return JSON.stringify(n)}catch{
return JSON.stringify(Jt(n))}}var D=class{constructor(){this._callbacks={}}get(t){return this._callbacks[pt(t)]}add(t,e,r){var i=pt(
t);this._callbacks[i]=this._callbacks[i]||[],this._callbacks[i].push({fn:e,context:r})}remove(t,e,r){
if(!t&&!e&&!r){this._callbacks={};return}var i=t?[pt(t)]:st(this._callbacks);e||r?this.removeCallback(
i,e,r):this.removeAllCallbacks(i)}removeCallback(t,e,r){ht(t,function(i){this._callbacks[i]=ot(this.
_callbacks[i]||[],function(s){return e&&e!==s.fn||r&&r!==s.context}),this._callbacks[i].length===0&&
delete this._callbacks[i]},this)}removeAllCallbacks(t){ht(t,function(e){delete this._callbacks[e]},this)}};
function pt(n){return"_"+n}var p=class{constructor(t){this.callbacks=new D,this.global_callbacks=[],this.failThrough=t}bind(t,e,r){
return this.callbacks.add(t,e,r),this}bind_global(t){return this.global_callbacks.push(t),this}unbind(t,e,r){
return this.callbacks.remove(t,e,r),this}unbind_global(t){return t?(this.global_callbacks=ot(this.global_callbacks||
[],e=>e!==t),this):(this.global_callbacks=[],this)}unbind_all(){return this.unbind(),this.unbind_global(),
this}emit(t,e,r){for(var i=0;i<this.global_callbacks.length;i++)this.global_callbacks[i](t,e);var s=this.
callbacks.get(t),o=[];if(r?o.push(e,r):e&&o.push(e),s&&s.length>0)for(var i=0;i<s.length;i++)s[i].fn.
apply(s[i].context||globalThis,o);else this.failThrough&&this.failThrough(t,e);return this}};var mt=class extends p{constructor(){super();var t=this;typeof window<"u"&&window.addEventListener!==
void 0&&(window.addEventListener("online",function(){t.emit("online")},!1),window.addEventListener("\
offline",function(){t.emit("offline")},!1))}isOnline(){return window.navigator.onLine===void 0?!0:window.
navigator.onLine}},St=new mt;var dt=class{constructor(){this.globalLog=t=>{globalThis.console&&globalThis.console.log&&globalThis.
console.log(t)}}debug(...t){this.log(this.globalLog,t)}warn(...t){this.log(this.globalLogWarn,t)}error(...t){
this.log(this.globalLogError,t)}globalLogWarn(t){globalThis.console&&globalThis.console.warn?globalThis.
console.warn(t):this.globalLog(t)}globalLogError(t){globalThis.console&&globalThis.console.error?globalThis.
console.error(t):this.globalLogWarn(t)}log(t,...e){var r=Tt.apply(this,arguments);_.log?_.log(r):_.logToConsole&&
t.bind(this)(r)}},l=new dt;var R=class extends p{constructor(t,e,r,i,s){super(),this.initialize=c.transportConnectionInitializer,
this.hooks=t,this.name=e,this.priority=r,this.key=i,this.options=s,this.state="new",this.timeline=s.
timeline,this.activityTimeout=s.activityTimeout,this.id=this.timeline.generateUniqueID()}handlesActivityChecks(){
return!!this.hooks.handlesActivityChecks}supportsPing(){return!!this.hooks.supportsPing}connect(){if(this.
socket||this.state!=="initialized")return!1;var t=this.hooks.urls.getInitial(this.key,this.options);
try{this.socket=this.hooks.getSocket(t,this.options)}catch(e){return m.defer(()=>{this.onError(e),this.
changeState("closed")}),!1}return this.bindListeners(),l.debug("Connecting",{transport:this.name,url:t}),
this.changeState("connecting"),!0}close(){return this.socket?(this.socket.close(),!0):!1}send(t){return this.
state==="open"?(m.defer(()=>{this.socket&&this.socket.send(t)}),!0):!1}ping(){this.state==="open"&&this.
supportsPing()&&this.socket.ping()}onOpen(){this.hooks.beforeOpen&&this.hooks.beforeOpen(this.socket,
this.hooks.urls.getPath(this.key,this.options)),this.changeState("open"),this.socket.onopen=void 0}onError(t){
this.emit("error",{type:"WebSocketError",error:t}),this.timeline.error(this.buildTimelineMessage({error:t.
toString()}))}onClose(t){t?this.changeState("closed",{code:t.code,reason:t.reason,wasClean:t.wasClean}):
this.changeState("closed"),this.unbindListeners(),this.socket=void 0}onMessage(t){this.emit("message",
t)}onActivity(){this.emit("activity")}bindListeners(){this.socket.onopen=()=>{this.onOpen()},this.socket.
onerror=t=>{this.onError(t)},this.socket.onclose=t=>{this.onClose(t)},this.socket.onmessage=t=>{this.
onMessage(t)},this.supportsPing()&&(this.socket.onactivity=()=>{this.onActivity()})}unbindListeners(){
this.socket&&(this.socket.onopen=void 0,this.socket.onerror=void 0,this.socket.onclose=void 0,this.socket.
onmessage=void 0,this.supportsPing()&&(this.socket.onactivity=void 0))}changeState(t,e){this.state=t,
this.timeline.info(this.buildTimelineMessage({state:t,params:e})),this.emit(t,e)}buildTimelineMessage(t){
return f({cid:this.id},t)}};var H=class{constructor(t){this.hooks=t}isSupported(t){return this.hooks.isSupported(t)}createConnection(t,e,r,i){
return new R(this.hooks,t,e,r,i)}};var M=class{constructor(t,e,r){this.manager=t,this.transport=e,this.minPingDelay=r.minPingDelay,this.
maxPingDelay=r.maxPingDelay,this.pingDelay=void 0}createConnection(t,e,r,i){i=f({},i,{activityTimeout:this.
pingDelay});var s=this.transport.createConnection(t,e,r,i),o=null,a=function(){s.unbind("open",a),s.
bind("closed",h),o=m.now()},h=b=>{if(s.unbind("closed",h),b.code===1002||b.code===1003)this.manager.
reportDeath();else if(!b.wasClean&&o){var C=m.now()-o;C<2*this.maxPingDelay&&(this.manager.reportDeath(),
this.pingDelay=Math.max(C/2,this.minPingDelay))}};return s.bind("open",a),s}isSupported(t){return this.
manager.isAlive()&&this.transport.isSupported(t)}};var xt={decodeMessage:function(n){try{var t=JSON.parse(n.data),e=t.data;if(typeof e=="string")try{e=
JSON.parse(t.data)}catch{}var r={event:t.event,channel:t.channel,data:e};return t.user_id&&(r.user_id=
t.user_id),r}catch(i){throw{type:"MessageParseError",error:i,data:n.data}}},encodeMessage:function(n){
return JSON.stringify(n)},processHandshake:function(n){var t=xt.decodeMessage(n);if(t.event==="pushe\
r:connection_established"){if(!t.data.activity_timeout)throw"No activity timeout specified in handsh\
ake";return{action:"connected",id:t.data.socket_id,activityTimeout:t.data.activity_timeout*1e3}}else{
if(t.event==="pusher:error")return{action:this.getCloseAction(t.data),error:this.getCloseError(t.data)};
throw"Invalid handshake"}},getCloseAction:function(n){return n.code<4e3?n.code>=1002&&n.code<=1004?"\
backoff":null:n.code===4e3?"tls_only":n.code<4100?"refused":n.code<4200?"backoff":n.code<4300?"retry":
"refused"},getCloseError:function(n){return n.code!==1e3&&n.code!==1001?{type:"PusherError",data:{code:n.
code,message:n.reason||n.message}}:null}},A=xt;var F=class extends p{constructor(t,e){super(),this.id=t,this.transport=e,this.activityTimeout=e.activityTimeout,
this.bindListeners()}handlesActivityChecks(){return this.transport.handlesActivityChecks()}send(t){return this.
transport.send(t)}send_event(t,e,r){var i={event:t,data:e};return r&&(i.channel=r),l.debug("Event se\
nt",i),this.send(A.encodeMessage(i))}ping(){this.transport.supportsPing()?this.transport.ping():this.
send_event("pusher:ping",{})}close(){this.transport.close()}bindListeners(){var t={message:r=>{var i;
try{i=A.decodeMessage(r)}catch(s){this.emit("error",{type:"MessageParseError",error:s,data:r.data})}
if(i!==void 0){switch(l.debug("Event recd",i),i.event){case"pusher:error":this.emit("error",{type:"P\
usherError",data:i.data});break;case"pusher:ping":this.emit("ping");break;case"pusher:pong":this.emit(
"pong");break}this.emit("message",i)}},activity:()=>{this.emit("activity")},error:r=>{this.emit("err\
or",r)},closed:r=>{e(),r&&r.code&&this.handleCloseEvent(r),this.transport=null,this.emit("closed")}},
e=()=>{v(t,(r,i)=>{this.transport.unbind(i,r)})};v(t,(r,i)=>{this.transport.bind(i,r)})}handleCloseEvent(t){
var e=A.getCloseAction(t),r=A.getCloseError(t);r&&this.emit("error",r),e&&this.emit(e,{action:e,error:r})}};var j=class{constructor(t,e){this.transport=t,this.callback=e,this.bindListeners()}close(){this.unbindListeners(),
this.transport.close()}bindListeners(){this.onMessage=t=>{this.unbindListeners();var e;try{e=A.processHandshake(
t)}catch(r){this.finish("error",{error:r}),this.transport.close();return}e.action==="connected"?this.
finish("connected",{connection:new F(e.id,this.transport),activityTimeout:e.activityTimeout}):(this.
finish(e.action,{error:e.error}),this.transport.close())},this.onClosed=t=>{this.unbindListeners();var e=A.
getCloseAction(t)||"backoff",r=A.getCloseError(t);this.finish(e,{error:r})},this.transport.bind("mes\
sage",this.onMessage),this.transport.bind("closed",this.onClosed)}unbindListeners(){this.transport.unbind(
"message",this.onMessage),this.transport.unbind("closed",this.onClosed)}finish(t,e){this.callback(f(
{transport:this.transport,action:t},e))}};var N=class{constructor(t,e){this.timeline=t,this.options=e||{}}send(t,e){this.timeline.isEmpty()||this.
timeline.send(c.TimelineTransport.getAgent(this,t),e)}};var P=class extends p{constructor(t,e){super(function(r,i){l.debug("No callbacks on "+t+" for "+r)}),
this.name=t,this.pusher=e,this.subscribed=!1,this.subscriptionPending=!1,this.subscriptionCancelled=
!1}authorize(t,e){return e(null,{auth:""})}trigger(t,e){if(t.indexOf("client-")!==0)throw new Z("Eve\
nt '"+t+"' does not start with 'client-'");if(!this.subscribed){var r=T.buildLogSuffix("triggeringCl\
ientEvents");l.warn(`Client event triggered before channel 'subscription_succeeded' event . ${r}`)}return this.
pusher.send_event(t,e,this.name)}disconnect(){this.subscribed=!1,this.subscriptionPending=!1}handleEvent(t){
var e=t.event,r=t.data;if(e==="pusher_internal:subscription_succeeded")this.handleSubscriptionSucceededEvent(
t);else if(e==="pusher_internal:subscription_count")this.handleSubscriptionCountEvent(t);else if(e.indexOf(
"pusher_internal:")!==0){var i={};this.emit(e,r,i)}}handleSubscriptionSucceededEvent(t){this.subscriptionPending=
!1,this.subscribed=!0,this.subscriptionCancelled?this.pusher.unsubscribe(this.name):this.emit("pushe\
r:subscription_succeeded",t.data)}handleSubscriptionCountEvent(t){t.data.subscription_count&&(this.subscriptionCount=
t.data.subscription_count),this.emit("pusher:subscription_count",t.data)}subscribe(){this.subscribed||
(this.subscriptionPending=!0,this.subscriptionCancelled=!1,this.authorize(this.pusher.connection.socket_id,
(t,e)=>{t?(this.subscriptionPending=!1,l.error(t.toString()),this.emit("pusher:subscription_error",Object.
assign({},{type:"AuthError",error:t.message},t instanceof k?{status:t.status}:{}))):this.pusher.send_event(
"pusher:subscribe",{auth:e.auth,channel_data:e.channel_data,channel:this.name})}))}unsubscribe(){this.
subscribed=!1,this.pusher.send_event("pusher:unsubscribe",{channel:this.name})}cancelSubscription(){
this.subscriptionCancelled=!0}reinstateSubscription(){this.subscriptionCancelled=!1}};var S=class extends P{authorize(t,e){return this.pusher.config.channelAuthorizer({channelName:this.name,
socketId:t},e)}};var q=class{constructor(){this.reset()}get(t){return Object.prototype.hasOwnProperty.call(this.members,
t)?{id:t,info:this.members[t]}:null}each(t){v(this.members,(e,r)=>{t(this.get(r))})}setMyID(t){this.
myID=t}onSubscription(t){this.members=t.presence.hash,this.count=t.presence.count,this.me=this.get(this.
myID)}addMember(t){return this.get(t.user_id)===null&&this.count++,this.members[t.user_id]=t.user_info,
this.get(t.user_id)}removeMember(t){var e=this.get(t.user_id);return e&&(delete this.members[t.user_id],
this.count--),e}reset(){this.members={},this.count=0,this.myID=null,this.me=null}};var $=class extends S{constructor(t,e){super(t,e),this.members=new q}authorize(t,e){super.authorize(
t,async(r,i)=>{if(!r)if(i=i,i.channel_data!=null){var s=JSON.parse(i.channel_data);this.members.setMyID(
s.user_id)}else if(await this.pusher.user.signinDonePromise,this.pusher.user.user_data!=null)this.members.
setMyID(this.pusher.user.user_data.id);else{let o=T.buildLogSuffix("authorizationEndpoint");l.error(
`Invalid auth response for channel '${this.name}', expected 'channel_data' field. ${o}, or the user \
should be signed in.`),e("Invalid auth response");return}e(r,i)})}handleEvent(t){var e=t.event;if(e.
indexOf("pusher_internal:")===0)this.handleInternalEvent(t);else{var r=t.data,i={};t.user_id&&(i.user_id=
t.user_id),this.emit(e,r,i)}}handleInternalEvent(t){var e=t.event,r=t.data;switch(e){case"pusher_int\
ernal:subscription_succeeded":this.handleSubscriptionSucceededEvent(t);break;case"pusher_internal:su\
bscription_count":this.handleSubscriptionCountEvent(t);break;case"pusher_internal:member_added":var i=this.
members.addMember(r);this.emit("pusher:member_added",i);break;case"pusher_internal:member_removed":var s=this.
members.removeMember(r);s&&this.emit("pusher:member_removed",s);break}}handleSubscriptionSucceededEvent(t){
this.subscriptionPending=!1,this.subscribed=!0,this.subscriptionCancelled?this.pusher.unsubscribe(this.
name):(this.members.onSubscription(t.data),this.emit("pusher:subscription_succeeded",this.members))}disconnect(){
this.members.reset(),super.disconnect()}};function z(){throw new Error("Encrypted channels are left out of this build of pusher-js")}var J=class extends S{constructor(e,r,i){super(e,r);this.key=null;this.nacl=i}authorize(e,r){super.authorize(
e,(i,s)=>{if(i){r(i,s);return}let o=s.shared_secret;if(!o){r(new Error(`No shared_secret key in auth\
 payload for encrypted channel: ${this.name}`),null);return}this.key=z(o),delete s.shared_secret,r(null,
s)})}trigger(e,r){throw new O("Client events are not currently supported for encrypted channels")}handleEvent(e){
var r=e.event,i=e.data;if(r.indexOf("pusher_internal:")===0||r.indexOf("pusher:")===0){super.handleEvent(
e);return}this.handleEncryptedEvent(r,i)}handleEncryptedEvent(e,r){if(!this.key){l.debug("Received e\
ncrypted event before key has been retrieved from the authEndpoint");return}if(!r.ciphertext||!r.nonce){
l.error("Unexpected format for encrypted event, expected object with `ciphertext` and `nonce` fields\
, got: "+r);return}let i=z(r.ciphertext);if(i.length<this.nacl.secretbox.overheadLength){l.error(`Ex\
pected encrypted event ciphertext length to be ${this.nacl.secretbox.overheadLength}, got: ${i.length}`);
return}let s=z(r.nonce);if(s.length<this.nacl.secretbox.nonceLength){l.error(`Expected encrypted eve\
nt nonce length to be ${this.nacl.secretbox.nonceLength}, got: ${s.length}`);return}let o=this.nacl.
secretbox.open(i,s,this.key);if(o===null){l.debug("Failed to decrypt an event, probably because it w\
as encrypted with a different key. Fetching a new key from the authEndpoint..."),this.authorize(this.
pusher.connection.socket_id,(a,h)=>{if(a){l.error(`Failed to make a request to the authEndpoint: ${h}\
. Unable to fetch new key, so dropping encrypted event`);return}if(o=this.nacl.secretbox.open(i,s,this.
key),o===null){l.error("Failed to decrypt event with new key. Dropping encrypted event");return}this.
emit(e,this.getDataToEmit(o))});return}this.emit(e,this.getDataToEmit(o))}getDataToEmit(e){let r=z(e);
try{return JSON.parse(r)}catch{return r}}};var W=class extends p{constructor(t,e){super(),this.state="initialized",this.connection=null,this.key=
t,this.options=e,this.timeline=this.options.timeline,this.usingTLS=this.options.useTLS,this.errorCallbacks=
this.buildErrorCallbacks(),this.connectionCallbacks=this.buildConnectionCallbacks(this.errorCallbacks),
this.handshakeCallbacks=this.buildHandshakeCallbacks(this.errorCallbacks);var r=c.getNetwork();r.bind(
"online",()=>{this.timeline.info({netinfo:"online"}),(this.state==="connecting"||this.state==="unava\
ilable")&&this.retryIn(0)}),r.bind("offline",()=>{this.timeline.info({netinfo:"offline"}),this.connection&&
this.sendActivityCheck()}),this.updateStrategy()}switchCluster(t){this.key=t,this.updateStrategy(),this.
retryIn(0)}connect(){if(!(this.connection||this.runner)){if(!this.strategy.isSupported()){this.updateState(
"failed");return}this.updateState("connecting"),this.startConnecting(),this.setUnavailableTimer()}}send(t){
return this.connection?this.connection.send(t):!1}send_event(t,e,r){return this.connection?this.connection.
send_event(t,e,r):!1}disconnect(){this.disconnectInternally(),this.updateState("disconnected")}isUsingTLS(){
return this.usingTLS}startConnecting(){var t=(e,r)=>{e?this.runner=this.strategy.connect(0,t):r.action===
"error"?(this.emit("error",{type:"HandshakeError",error:r.error}),this.timeline.error({handshakeError:r.
error})):(this.abortConnecting(),this.handshakeCallbacks[r.action](r))};this.runner=this.strategy.connect(
0,t)}abortConnecting(){this.runner&&(this.runner.abort(),this.runner=null)}disconnectInternally(){if(this.
abortConnecting(),this.clearRetryTimer(),this.clearUnavailableTimer(),this.connection){var t=this.abandonConnection();
t.close()}}updateStrategy(){this.strategy=this.options.getStrategy({key:this.key,timeline:this.timeline,
useTLS:this.usingTLS})}retryIn(t){this.timeline.info({action:"retry",delay:t}),t>0&&this.emit("conne\
cting_in",Math.round(t/1e3)),this.retryTimer=new y(t||0,()=>{this.disconnectInternally(),this.connect()})}clearRetryTimer(){
this.retryTimer&&(this.retryTimer.ensureAborted(),this.retryTimer=null)}setUnavailableTimer(){this.unavailableTimer=
new y(this.options.unavailableTimeout,()=>{this.updateState("unavailable")})}clearUnavailableTimer(){
this.unavailableTimer&&this.unavailableTimer.ensureAborted()}sendActivityCheck(){this.stopActivityCheck(),
this.connection.ping(),this.activityTimer=new y(this.options.pongTimeout,()=>{this.timeline.error({pong_timed_out:this.
options.pongTimeout}),this.retryIn(0)})}resetActivityCheck(){this.stopActivityCheck(),this.connection&&
!this.connection.handlesActivityChecks()&&(this.activityTimer=new y(this.activityTimeout,()=>{this.sendActivityCheck()}))}stopActivityCheck(){
this.activityTimer&&this.activityTimer.ensureAborted()}buildConnectionCallbacks(t){return f({},t,{message:e=>{
this.resetActivityCheck(),this.emit("message",e)},ping:()=>{this.send_event("pusher:pong",{})},activity:()=>{
this.resetActivityCheck()},error:e=>{this.emit("error",e)},closed:()=>{this.abandonConnection(),this.
shouldRetry()&&this.retryIn(1e3)}})}buildHandshakeCallbacks(t){return f({},t,{connected:e=>{this.activityTimeout=
Math.min(this.options.activityTimeout,e.activityTimeout,e.connection.activityTimeout||1/0),this.clearUnavailableTimer(),
this.setConnection(e.connection),this.socket_id=this.connection.id,this.updateState("connected",{socket_id:this.
socket_id})}})}buildErrorCallbacks(){let t=e=>r=>{r.error&&this.emit("error",{type:"WebSocketError",
error:r.error}),e(r)};return{tls_only:t(()=>{this.usingTLS=!0,this.updateStrategy(),this.retryIn(0)}),
refused:t(()=>{this.disconnect()}),backoff:t(()=>{this.retryIn(1e3)}),retry:t(()=>{this.retryIn(0)})}}setConnection(t){
this.connection=t;for(var e in this.connectionCallbacks)this.connection.bind(e,this.connectionCallbacks[e]);
this.resetActivityCheck()}abandonConnection(){if(this.connection){this.stopActivityCheck();for(var t in this.
connectionCallbacks)this.connection.unbind(t,this.connectionCallbacks[t]);var e=this.connection;return this.
connection=null,e}}updateState(t,e){var r=this.state;if(this.state=t,r!==t){var i=t;i==="connected"&&
(i+=" with new socket ID "+e.socket_id),l.debug("State changed",r+" -> "+i),this.timeline.info({state:t,
params:e}),this.emit("state_change",{previous:r,current:t}),this.emit(t,e)}}shouldRetry(){return this.
state==="connecting"||this.state==="connected"}};var B=class{constructor(){this.channels={}}add(t,e){return this.channels[t]||(this.channels[t]=Wt(t,
e)),this.channels[t]}all(){return kt(this.channels)}find(t){return this.channels[t]}remove(t){var e=this.
channels[t];return delete this.channels[t],e}disconnect(){v(this.channels,function(t){t.disconnect()})}};
function Wt(n,t){if(n.indexOf("private-encrypted-")===0){if(t.config.nacl)return g.createEncryptedChannel(
n,t,t.config.nacl);let e="Tried to subscribe to a private-encrypted- channel but no nacl implementat\
ion available",r=T.buildLogSuffix("encryptedChannelSupport");throw new O(`${e}. ${r}`)}else{if(n.indexOf(
"private-")===0)return g.createPrivateChannel(n,t);if(n.indexOf("presence-")===0)return g.createPresenceChannel(
n,t);if(n.indexOf("#")===0)throw new tt('Cannot create a channel with name "'+n+'".');return g.createChannel(
n,t)}}var Bt={createChannels(){return new B},createConnectionManager(n,t){return new W(n,t)},createChannel(n,t){
return new P(n,t)},createPrivateChannel(n,t){return new S(n,t)},createPresenceChannel(n,t){return new $(
n,t)},createEncryptedChannel(n,t,e){return new J(n,t,e)},createTimelineSender(n,t){return new N(n,t)},
createHandshake(n,t){return new j(n,t)},createAssistantToTheTransportManager(n,t,e){return new M(n,t,
e)}},g=Bt;var G=class{constructor(t){this.options=t||{},this.livesLeft=this.options.lives||1/0}getAssistant(t){
return g.createAssistantToTheTransportManager(this,t,{minPingDelay:this.options.minPingDelay,maxPingDelay:this.
options.maxPingDelay})}isAlive(){return this.livesLeft>0}reportDeath(){this.livesLeft-=1}};var Gt={VERSION:"8.6.0",PROTOCOL:7,wsPort:80,wssPort:443,wsPath:"",httpHost:"sockjs.pusher.com",httpPort:80,
httpsPort:443,httpPath:"/pusher",stats_host:"stats.pusher.com",authEndpoint:"/pusher/auth",authTransport:"\
ajax",activityTimeout:12e4,pongTimeout:3e4,unavailableTimeout:1e4,userAuthentication:{endpoint:"/pus\
her/user-auth",transport:"ajax"},channelAuthorization:{endpoint:"/pusher/auth",transport:"ajax"},cdn_http:"",
cdn_https:"",dependency_suffix:""},u=Gt;function Vt(n,t,e){var r=n+(t.useTLS?"s":""),i=t.useTLS?t.hostTLS:t.hostNonTLS;return r+"://"+i+e}function Qt(n,t){
var e="/app/"+n,r="?protocol="+u.PROTOCOL+"&client=js&version="+u.VERSION+(t?"&"+t:"");return e+r}var _t={
getInitial:function(n,t){var e=(t.httpPath||"")+Qt(n,"flash=false");return Vt("ws",t,e)}};var V=class{constructor(t,e){this.strategies=t,this.loop=!!e.loop,this.failFast=!!e.failFast,this.timeout=
e.timeout,this.timeoutLimit=e.timeoutLimit}isSupported(){return Pt(this.strategies,m.method("isSuppo\
rted"))}connect(t,e){var r=this.strategies,i=0,s=this.timeout,o=null,a=(h,b)=>{b?e(null,b):(i=i+1,this.
loop&&(i=i%r.length),i<r.length?(s&&(s=s*2,this.timeoutLimit&&(s=Math.min(s,this.timeoutLimit))),o=this.
tryStrategy(r[i],t,{timeout:s,failFast:this.failFast},a)):e(!0))};return o=this.tryStrategy(r[i],t,{
timeout:s,failFast:this.failFast},a),{abort:function(){o.abort()},forceMinPriority:function(h){t=h,o&&
o.forceMinPriority(h)}}}tryStrategy(t,e,r,i){var s=null,o=null;return r.timeout>0&&(s=new y(r.timeout,
function(){o.abort(),i(!0)})),o=t.connect(e,function(a,h){a&&s&&s.isRunning()&&!r.failFast||(s&&s.ensureAborted(),
i(a,h))}),{abort:function(){s&&s.ensureAborted(),o.abort()},forceMinPriority:function(a){o.forceMinPriority(
a)}}}};var Xt={loop:!0,timeout:15e3,timeoutLimit:6e4},Kt=new H({urls:_t,handlesActivityChecks:!1,supportsPing:!1,
isInitialized:()=>!0,isSupported:()=>"WebSocket"in globalThis,getSocket:n=>new WebSocket(n)}),c={Transports:{
ws:Kt},TimelineTransport:{name:"none",getAgent:()=>()=>{}},setup:n=>n.ready(),getProtocol:()=>location.
protocol,getNetwork:()=>St,getAuthorizers:()=>({ajax:yt}),createXHR:()=>new XMLHttpRequest,randomInt:n=>Math.
floor(Math.random()*n),transportConnectionInitializer:vt,getDefaultStrategy(n,t,e){let{wsHost:r,wsPort:i,
wssPort:s,wsPath:o,activityTimeout:a}=n,h={...t,hostNonTLS:`${r}:${i}`,hostTLS:`${r}:${s}`,httpPath:o},
b=new G({minPingDelay:1e4,maxPingDelay:a}),C=e(n,"ws","ws",3,h,b);return new V([C],Xt)}};var Ot=(r=>(r[r.ERROR=3]="ERROR",r[r.INFO=6]="INFO",r[r.DEBUG=7]="DEBUG",r))(Ot||{}),U=Ot;var Q=class{constructor(t,e,r){this.key=t,this.session=e,this.events=[],this.options=r||{},this.sent=
0,this.uniqueID=0}log(t,e){t<=this.options.level&&(this.events.push(f({},e,{timestamp:m.now()})),this.
options.limit&&this.events.length>this.options.limit&&this.events.shift())}error(t){this.log(U.ERROR,
t)}info(t){this.log(U.INFO,t)}debug(t){this.log(U.DEBUG,t)}isEmpty(){return this.events.length===0}send(t,e){
var r=f({session:this.session,bundle:this.sent+1,key:this.key,lib:"js",version:this.options.version,
cluster:this.options.cluster,features:this.options.features,timeline:this.events},this.options.params);
return this.events=[],t(r,(i,s)=>{i||this.sent++,e&&e(i,s)}),!0}generateUniqueID(){return this.uniqueID++,
this.uniqueID}};var X=class{constructor(t,e,r,i){this.name=t,this.priority=e,this.transport=r,this.options=i||{}}isSupported(){
return this.transport.isSupported({useTLS:this.options.useTLS})}connect(t,e){if(this.isSupported()){
if(this.priority<t)return wt(new et,e)}else return wt(new w,e);var r=!1,i=this.transport.createConnection(
this.name,this.priority,this.options.key,this.options),s=null,o=function(){i.unbind("initialized",o),
i.connect()},a=function(){s=g.createHandshake(i,function(x){r=!0,C(),e(null,x)})},h=function(x){C(),
e(x)},b=function(){C();var x;x=ut(i),e(new nt(x))},C=function(){i.unbind("initialized",o),i.unbind("\
open",a),i.unbind("error",h),i.unbind("closed",b)};return i.bind("initialized",o),i.bind("open",a),i.
bind("error",h),i.bind("closed",b),i.initialize(),{abort:()=>{r||(C(),s?s.close():i.close())},forceMinPriority:x=>{
r||this.priority<x&&(s?s.close():i.close())}}}};function wt(n,t){return m.defer(function(){t(n)}),{abort:function(){},
forceMinPriority:function(){}}}var{Transports:Yt}=c,Et=function(n,t,e,r,i,s){var o=Yt[e];if(!o)throw new rt(e);var a=(!n.enabledTransports||
ct(n.enabledTransports,t)!==-1)&&(!n.disabledTransports||ct(n.disabledTransports,t)===-1),h;return a?
(i=Object.assign({ignoreNullOrigin:n.ignoreNullOrigin},i),h=new X(t,r,s?s.getAssistant(o):o,i)):h=Zt,
h},Zt={isSupported:function(){return!1},connect:function(n,t){var e=m.defer(function(){t(new w)});return{
abort:function(){e.ensureAborted()},forceMinPriority:function(){}}}};function zt(n){if(n==null)throw"You must pass an options object";if(n.cluster==null)throw"Options ob\
ject must provide a cluster";"disableStats"in n&&l.warn("The disableStats option is deprecated in fa\
vor of enableStats")}var te=(n,t)=>{var e="socket_id="+encodeURIComponent(n.socketId);for(var r in t.params)e+="&"+encodeURIComponent(
r)+"="+encodeURIComponent(t.params[r]);if(t.paramsProvider!=null){let i=t.paramsProvider();for(var r in i)
e+="&"+encodeURIComponent(r)+"="+encodeURIComponent(i[r])}return e},ee=n=>{if(typeof c.getAuthorizers()[n.
transport]>"u")throw`'${n.transport}' is not a recognized auth transport`;return(t,e)=>{let r=te(t,n);
c.getAuthorizers()[n.transport](c,r,n,"user-authentication",e)}},Ut=ee;var ne=(n,t)=>{var e="socket_id="+encodeURIComponent(n.socketId);e+="&channel_name="+encodeURIComponent(
n.channelName);for(var r in t.params)e+="&"+encodeURIComponent(r)+"="+encodeURIComponent(t.params[r]);
if(t.paramsProvider!=null){let i=t.paramsProvider();for(var r in i)e+="&"+encodeURIComponent(r)+"="+
encodeURIComponent(i[r])}return e},re=n=>{if(typeof c.getAuthorizers()[n.transport]>"u")throw`'${n.transport}\
' is not a recognized auth transport`;return(t,e)=>{let r=ne(t,n);c.getAuthorizers()[n.transport](c,
r,n,"channel-authorization",e)}},It=re;var Lt=(n,t,e)=>{let r={authTransport:t.transport,authEndpoint:t.endpoint,auth:{params:t.params,headers:t.
headers}};return(i,s)=>{let o=n.channel(i.channelName);e(o,r).authorize(i.socketId,s)}};function ft(n,t){let e={activityTimeout:n.activityTimeout||u.activityTimeout,cluster:n.cluster,httpPath:n.
httpPath||u.httpPath,httpPort:n.httpPort||u.httpPort,httpsPort:n.httpsPort||u.httpsPort,pongTimeout:n.
pongTimeout||u.pongTimeout,statsHost:n.statsHost||u.stats_host,unavailableTimeout:n.unavailableTimeout||
u.unavailableTimeout,wsPath:n.wsPath||u.wsPath,wsPort:n.wsPort||u.wsPort,wssPort:n.wssPort||u.wssPort,
enableStats:le(n),httpHost:ie(n),useTLS:ae(n),wsHost:se(n),userAuthenticator:ce(n),channelAuthorizer:ue(
n,t)};return"disabledTransports"in n&&(e.disabledTransports=n.disabledTransports),"enabledTransports"in
n&&(e.enabledTransports=n.enabledTransports),"ignoreNullOrigin"in n&&(e.ignoreNullOrigin=n.ignoreNullOrigin),
"timelineParams"in n&&(e.timelineParams=n.timelineParams),"nacl"in n&&(e.nacl=n.nacl),e}function ie(n){
return n.httpHost?n.httpHost:n.cluster?`sockjs-${n.cluster}.pusher.com`:u.httpHost}function se(n){return n.
wsHost?n.wsHost:oe(n.cluster)}function oe(n){return`ws-${n}.pusher.com`}function ae(n){return c.getProtocol()===
"https:"?!0:n.forceTLS!==!1}function le(n){return"enableStats"in n?n.enableStats:"disableStats"in n?
!n.disableStats:!1}var Dt=n=>"customHandler"in n&&n.customHandler!=null;function ce(n){let t={...u.userAuthentication,
...n.userAuthentication};return Dt(t)?t.customHandler:Ut(t)}function he(n,t){let e;return"channelAut\
horization"in n?e={...u.channelAuthorization,...n.channelAuthorization}:(e={transport:n.authTransport||
u.authTransport,endpoint:n.authEndpoint||u.authEndpoint},"auth"in n&&("params"in n.auth&&(e.params=n.
auth.params),"headers"in n.auth&&(e.headers=n.auth.headers)),"authorizer"in n&&(e.customHandler=Lt(t,
e,n.authorizer))),e}function ue(n,t){let e=he(n,t);return Dt(e)?e.customHandler:It(e)}var K=class extends p{constructor(t){super(function(e,r){l.debug(`No callbacks on watchlist events f\
or ${e}`)}),this.pusher=t,this.bindWatchlistInternalEvent()}handleEvent(t){t.data.events.forEach(e=>{
this.emit(e.name,e)})}bindWatchlistInternalEvent(){this.pusher.connection.bind("message",t=>{var e=t.
event;e==="pusher_internal:watchlist_events"&&this.handleEvent(t)})}};function pe(){let n,t;return{promise:new Promise((r,i)=>{n=r,t=i}),resolve:n,reject:t}}var Rt=pe;var Y=class extends p{constructor(e){super(function(r,i){l.debug("No callbacks on user for "+r)});this.
signin_requested=!1;this.user_data=null;this.serverToUserChannel=null;this.signinDonePromise=null;this.
_signinDoneResolve=null;this._onAuthorize=(e,r)=>{if(e){l.warn(`Error during signin: ${e}`),this.emit(
"pusher:signin_error",Object.assign({},{type:"AuthError",error:e.message},e instanceof k?{status:e.status}:
{})),this._cleanup();return}this.pusher.send_event("pusher:signin",{auth:r.auth,user_data:r.user_data})};
this.pusher=e,this.pusher.connection.bind("state_change",({previous:r,current:i})=>{r!=="connected"&&
i==="connected"&&this._signin(),r==="connected"&&i!=="connected"&&(this._cleanup(),this._newSigninPromiseIfNeeded())}),
this.watchlist=new K(e),this.pusher.connection.bind("message",r=>{var i=r.event;i==="pusher:signin_s\
uccess"&&this._onSigninSuccess(r.data),this.serverToUserChannel&&this.serverToUserChannel.name===r.channel&&
this.serverToUserChannel.handleEvent(r)})}signin(){this.signin_requested||(this.signin_requested=!0,
this._signin())}_signin(){this.signin_requested&&(this._newSigninPromiseIfNeeded(),this.pusher.connection.
state==="connected"&&this.pusher.config.userAuthenticator({socketId:this.pusher.connection.socket_id},
this._onAuthorize))}_onSigninSuccess(e){try{this.user_data=JSON.parse(e.user_data)}catch{l.error(`Fa\
iled parsing user data after signin: ${e.user_data}`),this._cleanup();return}if(typeof this.user_data.
id!="string"||this.user_data.id===""){l.error(`user_data doesn't contain an id. user_data: ${this.user_data}`),
this._cleanup();return}this._signinDoneResolve(),this._subscribeChannels()}_subscribeChannels(){let e=r=>{
r.subscriptionPending&&r.subscriptionCancelled?r.reinstateSubscription():!r.subscriptionPending&&this.
pusher.connection.state==="connected"&&r.subscribe()};this.serverToUserChannel=new P(`#server-to-use\
r-${this.user_data.id}`,this.pusher),this.serverToUserChannel.bind_global((r,i)=>{r.indexOf("pusher_\
internal:")===0||r.indexOf("pusher:")===0||this.emit(r,i)}),e(this.serverToUserChannel)}_cleanup(){this.
user_data=null,this.serverToUserChannel&&(this.serverToUserChannel.unbind_all(),this.serverToUserChannel.
disconnect(),this.serverToUserChannel=null),this.signin_requested&&this._signinDoneResolve()}_newSigninPromiseIfNeeded(){
if(!this.signin_requested||this.signinDonePromise&&!this.signinDonePromise.done)return;let{promise:e,
resolve:r,reject:i}=Rt();e.done=!1;let s=()=>{e.done=!0};e.then(s).catch(s),this.signinDonePromise=e,
this._signinDoneResolve=r}};var _=class n{static{this.instances=[]}static{this.isReady=!1}static{this.logToConsole=!1}static{this.
Runtime=c}static{this.ScriptReceivers=c.ScriptReceivers}static{this.DependenciesReceivers=c.DependenciesReceivers}static{
this.auth_callbacks=c.auth_callbacks}static ready(){n.isReady=!0;for(var t=0,e=n.instances.length;t<
e;t++)n.instances[t].connect()}static getClientFeatures(){return st(At({ws:c.Transports.ws},function(t){
return t.isSupported({})}))}constructor(t,e){me(t),zt(e),this.key=t,this.options=e,this.config=ft(this.
options,this),this.channels=g.createChannels(),this.global_emitter=new p,this.sessionID=c.randomInt(
1e9),this.timeline=new Q(this.key,this.sessionID,{cluster:this.config.cluster,features:n.getClientFeatures(),
params:this.config.timelineParams||{},limit:50,level:U.INFO,version:u.VERSION}),this.config.enableStats&&
(this.timelineSender=g.createTimelineSender(this.timeline,{host:this.config.statsHost,path:"/timelin\
e/v2/"+c.TimelineTransport.name}));var r=i=>c.getDefaultStrategy(this.config,i,Et);this.connection=g.
createConnectionManager(this.key,{getStrategy:r,timeline:this.timeline,activityTimeout:this.config.activityTimeout,
pongTimeout:this.config.pongTimeout,unavailableTimeout:this.config.unavailableTimeout,useTLS:!!this.
config.useTLS}),this.connection.bind("connected",()=>{this.subscribeAll(),this.timelineSender&&this.
timelineSender.send(this.connection.isUsingTLS())}),this.connection.bind("message",i=>{var s=i.event,
o=s.indexOf("pusher_internal:")===0;if(i.channel){var a=this.channel(i.channel);a&&a.handleEvent(i)}
o||this.global_emitter.emit(i.event,i.data)}),this.connection.bind("connecting",()=>{this.channels.disconnect()}),
this.connection.bind("disconnected",()=>{this.channels.disconnect()}),this.connection.bind("error",i=>{
l.warn(i)}),n.instances.push(this),this.timeline.info({instances:n.instances.length}),this.user=new Y(
this),n.isReady&&this.connect()}switchCluster(t){let{appKey:e,cluster:r}=t;this.key=e,this.options={
...this.options,cluster:r},this.config=ft(this.options,this),this.connection.switchCluster(this.key)}channel(t){
return this.channels.find(t)}allChannels(){return this.channels.all()}connect(){if(this.connection.connect(),
this.timelineSender&&!this.timelineSenderTimer){var t=this.connection.isUsingTLS(),e=this.timelineSender;
this.timelineSenderTimer=new it(6e4,function(){e.send(t)})}}disconnect(){this.connection.disconnect(),
this.timelineSenderTimer&&(this.timelineSenderTimer.ensureAborted(),this.timelineSenderTimer=null)}bind(t,e,r){
return this.global_emitter.bind(t,e,r),this}unbind(t,e,r){return this.global_emitter.unbind(t,e,r),this}bind_global(t){
return this.global_emitter.bind_global(t),this}unbind_global(t){return this.global_emitter.unbind_global(
t),this}unbind_all(t){return this.global_emitter.unbind_all(),this}subscribeAll(){var t;for(t in this.
channels.channels)this.channels.channels.hasOwnProperty(t)&&this.subscribe(t)}subscribe(t){var e=this.
channels.add(t,this);return e.subscriptionPending&&e.subscriptionCancelled?e.reinstateSubscription():
!e.subscriptionPending&&this.connection.state==="connected"&&e.subscribe(),e}unsubscribe(t){var e=this.
channels.find(t);e&&e.subscriptionPending?e.cancelSubscription():(e=this.channels.remove(t),e&&e.subscribed&&
e.unsubscribe())}send_event(t,e,r){return this.connection.send_event(t,e,r)}shouldUseTLS(){return this.
config.useTLS}signin(){this.user.signin()}};function me(n){if(n==null)throw"You must pass your app k\
ey when you instantiate Pusher."}c.setup(_);export{_ as default};
